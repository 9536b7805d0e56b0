// Forms of the page, taken over by the line: the same fields, with an id and an answer.
// Without this module they are sent as any form is, and the server answers with a page.

import { newId } from "./line.js";

export function takeOverForms({ outbox, madeOn, press, toast }) {
  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("form[data-tap]");
    if (!form) return;
    event.preventDefault();
    if (form.dataset.sending) return;
    // Another question may stand there now; this tap was meant for the one that the finger came down on.
    if (press.wasOutlasted()) return toast.show({ why: document.body.dataset.changed });
    const button = event.submitter || form.querySelector("button");
    const fields = [...new FormData(form, event.submitter)].map(([name, value]) => [name, String(value)]);
    form.dataset.sending = "1";
    button?.classList.add("sent");
    const answer = await outbox.add({ id: newId(), ...madeOn(), fields });
    delete form.dataset.sending;
    button?.classList.remove("sent");
    if (!answer.ok) toast.show(answer);
    else toast.clear();
  });

  document.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]");
    if (!step) return;
    const input = step.parentElement.querySelector("input");
    const reached = Number(input.value || 0) + Number(step.dataset.step);
    input.value = Math.min(Number(input.max), Math.max(Number(input.min), reached));
  });

  // Between two and four of them: a box too many cannot be ticked.
  document.addEventListener("change", (event) => {
    const set = event.target.closest("[data-most]");
    if (!set) return;
    const boxes = [...set.querySelectorAll("input[type=checkbox]")];
    const full = boxes.filter((box) => box.checked).length >= Number(set.dataset.most);
    for (const box of boxes) box.disabled = full && !box.checked;
  });
}
