// A phone that has a seat lands on it; one that has none finds its last name filled in.

import { rememberSize } from "./size.js";

document.documentElement.classList.add("alive");
rememberSize();
const token = localStorage.getItem("seat-token");
const isLeaving = new URLSearchParams(location.search).has("stay");
if (token && !isLeaving) {
  const answer = await fetch(`/seat/${encodeURIComponent(token)}`, { method: "HEAD" });
  if (answer.ok) location.replace(`/seat/${encodeURIComponent(token)}`);
  else localStorage.removeItem("seat-token");
}
const name = document.querySelector("input[name=name]");
if (name && !name.value) name.value = localStorage.getItem("name") || "";
document.addEventListener("submit", () => name && localStorage.setItem("name", name.value));
