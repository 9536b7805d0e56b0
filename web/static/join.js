// A phone that has a seat lands on it; one that has none finds its last name filled in.

import { rememberSize } from "./size.js";

document.documentElement.classList.add("alive");
rememberSize();
const seatPage = (token) => `/seat/${encodeURIComponent(token)}/`;
const token = localStorage.getItem("seat-token");
const isLeaving = new URLSearchParams(location.search).has("stay");
const isElsewhere = location.pathname !== "/"; // taking a seat over, or one more on this phone
let isHeld = false;
if (token) {
  const answer = await fetch(seatPage(token), { method: "HEAD" });
  isHeld = answer.ok;
  if (!isHeld) localStorage.removeItem("seat-token");
  else if (!isLeaving && !isElsewhere) location.replace(seatPage(token));
}
// A seat that comes to this phone stands beside the one that it has.
const beside = document.querySelector("input[name=beside]");
if (beside && !beside.value && isHeld) beside.value = token;
// One more seat is another person's, and nobody's typing is met half-way.
const name = document.querySelector("input[name=name]");
const isOneMore = beside && isHeld;
if (name && !name.value && !isOneMore && document.activeElement !== name) {
  name.value = localStorage.getItem("name") || "";
}
document.addEventListener("submit", () => name && localStorage.setItem("name", name.value));
