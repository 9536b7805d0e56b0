// Keeps a page alive: whole sections come pushed from the server, each with the mark of its content.

import { guideAlong } from "./first.js";
import { takeOverForms } from "./forms.js";
import { newId, openLine } from "./line.js";
import { morphInto } from "./morph.js";
import { openOutbox } from "./outbox.js";
import { openPress } from "./press.js";
import { openSignal } from "./signal.js";
import { rememberSize } from "./size.js";
import { takeOverSnaps } from "./snap.js";
import { openTimer } from "./timer.js";
import { openToast } from "./toast.js";

const body = document.body;
const PLUS_MS = 4000;
let seq = Number(body.dataset.seq);

document.documentElement.classList.add("alive");
const applySize = rememberSize();
const applyGuide = guideAlong();
const press = openPress();
const signal = openSignal();
const timer = openTimer({ onUp: signal.timeUp });
timer.set(JSON.parse(body.dataset.timer || "null"));
const toast = openToast(document.getElementById("toasts"));
const band = document.getElementById("conn");
const sections = () => [...document.querySelectorAll("[data-part]")];
const marks = () => Object.fromEntries(sections().map((part) => [part.dataset.part, part.dataset.is]));
const scores = () =>
  new Map([...document.querySelectorAll("[data-score]")].map((it) => [it.dataset.of, Number(it.dataset.score)]));

// The token is the middle of the page's own address; kept, so that "/" finds back to the seat.
const token = location.pathname.match(/^\/(?:seat|host)\/([^/]+)\//)?.[1] ?? "";
if (body.dataset.as === "seat") localStorage.setItem("seat-token", token);

// A big screen is known again by a name of its own, so that the host has to know it only once.
function ownName() {
  if (body.dataset.as !== "screen") return undefined;
  const name = localStorage.getItem("screen") || newId();
  localStorage.setItem("screen", name);
  return name;
}

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

// Long messages come packed; unpacking takes a moment, a finger on the glass another, and what is shown stays in
// its order.
let newest = Promise.resolve();
const canUnpack = "DecompressionStream" in window;

function onShown(message) {
  newest = newest.then(async () => {
    const plain = message.zip ? await unpacked(message) : message;
    await press.isOver();
    show(plain);
  });
  return newest;
}

async function unpacked({ zip, ...message }) {
  const plain = new Blob([zip]).stream().pipeThrough(new DecompressionStream("deflate"));
  return { ...message, html: JSON.parse(await new Response(plain).text()) };
}

function show(message) {
  if (message.version !== body.dataset.version) return location.reload();
  const before = scores();
  seq = message.seq;
  body.dataset.seq = seq;
  body.dataset.table = message.table;
  body.dataset.at = message.at;
  document.title = message.title;
  for (const part of sections()) {
    const html = message.html[part.dataset.part];
    if (html === undefined) continue;
    morphInto(part, html);
    part.dataset.is = message.now[part.dataset.part];
    press.drawn();
  }
  applySize();
  applyGuide();
  timer.set(message.timer);
  signal.apply();
  showPlus(before);
  document.dispatchEvent(new Event("shown")); // for what a single page adds, as the big screen does
  const have = marks();
  if (Object.keys(have).some((name) => message.now[name] !== have[name])) line.sync();
}

function onGone({ to }) {
  localStorage.removeItem("seat-token");
  outbox.clear();
  location.assign(to || "/");
}

function onStanding(standing, why) {
  body.dataset.line = standing || "up";
  band.hidden = !standing;
  band.className = `conn ${standing}`;
  band.textContent = why || (standing ? band.dataset[standing] : "");
  const elsewhere = standing === "lost" && !why && otherAddress();
  if (!elsewhere) return;
  const link = document.createElement("a");
  link.href = elsewhere;
  link.textContent = band.dataset.elsewhere;
  band.append(link);
}

// The same page where the table said last that it is, else by its name: Wi-Fi may have moved it.
function otherAddress() {
  const port = location.port ? `:${location.port}` : "";
  const known = [body.dataset.at, body.dataset.name && `http://${body.dataset.name}${port}/`];
  const other = known.find((address) => address && new URL(address).host !== location.host);
  return other && new URL(location.pathname, other).href;
}

const line = openLine({
  language: document.documentElement.lang, // what is pushed speaks as the page does
  auth: () => ({ as: body.dataset.as, token, screen: ownName(), unpacks: canUnpack, is: marks() }),
  onShown,
  onGone,
  onStanding,
});

const outbox = openOutbox({ token, send: line.send, onLate: (answer) => answer.ok || toast.show(answer) });

// Another seat of this phone has a page of its own; what was tapped on this one goes first.
document.addEventListener("click", async (event) => {
  const tab = event.target.closest("[data-part=tabs] a");
  if (!tab || outbox.isEmpty()) return;
  event.preventDefault();
  await outbox.whenEmpty();
  location.assign(tab.href);
});

takeOverSnaps({ toast });

takeOverForms({
  outbox,
  toast,
  press,
  madeOn: () => ({ seq, table: body.dataset.table }),
});
