// Keeps a page alive: whole sections come pushed from the server, each with the mark of its content.

import { guideAlong } from "./first.js";
import { takeOverForms } from "./forms.js";
import { openLine } from "./line.js";
import { morphInto } from "./morph.js";
import { rememberSize } from "./size.js";
import { takeOverSnaps } from "./snap.js";
import { openToast } from "./toast.js";

const body = document.body;
const PLUS_MS = 4000;
let seq = Number(body.dataset.seq);
const changedAt = new WeakMap();

document.documentElement.classList.add("alive");
const applySize = rememberSize();
const applyGuide = guideAlong();
const toast = openToast(document.getElementById("toasts"));
const band = document.getElementById("conn");
const sections = () => [...document.querySelectorAll("[data-part]")];
const marks = () => Object.fromEntries(sections().map((part) => [part.dataset.part, part.dataset.is]));
const scores = () =>
  new Map([...document.querySelectorAll("[data-score]")].map((it) => [it.dataset.of, Number(it.dataset.score)]));

// The token is the middle of the page's own address; kept, so that "/" finds back to the seat.
const token = location.pathname.match(/^\/(?:seat|host)\/([^/]+)\//)?.[1] ?? "";
if (body.dataset.as === "seat") localStorage.setItem("seat-token", token);

function showPlus(before) {
  for (const [seat, score] of scores()) {
    const gained = score - (before.get(seat) ?? score);
    if (!gained) continue;
    for (const plus of document.querySelectorAll(`[data-plus="${CSS.escape(seat)}"]`)) {
      plus.textContent = gained > 0 ? `+${gained}` : `−${-gained}`;
      setTimeout(() => (plus.textContent = ""), PLUS_MS);
    }
  }
}

function onShown(message) {
  if (message.version !== body.dataset.version) return location.reload();
  const before = scores();
  seq = message.seq;
  body.dataset.seq = seq;
  for (const part of sections()) {
    const html = message.html[part.dataset.part];
    if (html === undefined) continue;
    morphInto(part, html);
    part.dataset.is = message.now[part.dataset.part];
    changedAt.set(part, performance.now());
  }
  applySize();
  applyGuide();
  showPlus(before);
  document.dispatchEvent(new Event("shown")); // for what a single page adds, as the big screen does
  const have = marks();
  if (Object.keys(have).some((name) => message.now[name] !== have[name])) line.sync();
}

function onGone({ to }) {
  localStorage.removeItem("seat-token");
  location.assign(to || "/");
}

function onStanding(standing, why) {
  band.hidden = !standing;
  band.className = `conn ${standing}`;
  band.textContent = why || (standing ? band.dataset[standing] : "");
}

const line = openLine({
  auth: () => ({ as: body.dataset.as, token, is: marks() }),
  onShown,
  onGone,
  onStanding,
});

takeOverSnaps({ toast });

takeOverForms({
  line,
  toast,
  seq: () => seq,
  wasChangedSince: (form, touched) => {
    const part = form.closest("[data-part]");
    return part !== null && touched > 0 && (changedAt.get(part) ?? 0) > touched;
  },
});
