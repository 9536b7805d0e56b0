// Leaf through an evening: the slider and both links fetch one moment after the other into the same page.

import { morphInto } from "./morph.js";

document.documentElement.classList.add("alive");
const slider = document.querySelector("[data-leaf] input");
const label = document.querySelector("[data-leaf] label");
const links = { prev: document.querySelector("[rel=prev]"), next: document.querySelector("[rel=next]") };
let wanted = Number(slider.value);
let isFetching = false;

const address = (number) => `?at=${number}`;

function say(number) {
  label.textContent = slider.dataset.words.replace("{number}", number);
  links.prev.href = address(Math.max(0, number - 1));
  links.next.href = address(Math.min(Number(slider.max), number + 1));
}

// A thumb passes many moments on its way; only the one where it is now is worth a question.
async function leaf(number) {
  wanted = number;
  slider.value = number;
  say(number);
  if (isFetching) return;
  isFetching = true;
  let shown;
  try {
    do {
      shown = wanted;
      const answer = await fetch(address(shown));
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const moment = document.querySelector("[data-journal]");
      morphInto(moment, page.querySelector("[data-journal]").innerHTML);
      history.replaceState(null, "", address(shown));
    } while (shown !== wanted);
  } catch {
    location.assign(address(wanted)); // no line: the browser says so
  } finally {
    isFetching = false;
  }
}

slider.addEventListener("input", () => leaf(Number(slider.value)));
document.addEventListener("click", (event) => {
  const link = event.target.closest("[rel=prev],[rel=next]");
  if (!link) return;
  event.preventDefault();
  leaf(Number(new URL(link.href).searchParams.get("at")));
});
