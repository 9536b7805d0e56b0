// The line to the table: one Socket.IO connection that notices by itself when the phone slept.

import { io } from "./vendor/socket.io.esm.min.js";

const ANSWER_MS = 1000; // no answer to "sync" in this time: the socket is dead, dial again
const TAP_ANSWER_MS = 2500;
const DIAL_MS = 2000; // a call into a Wi-Fi that is gone would hang for 20 s
const DOUBT_AFTER_MS = 200;
const LOOKING_AFTER_MS = 1000;
const LOST_AFTER_MS = 10000;
const BACK_FOR_MS = 3000;
const JUMP_MS = 4000; // a 1-s timer that finds more than this gone: the phone slept

export function openLine({ auth, language, onShown, onGone, onStanding }) {
  const socket = io({
    auth: (give) => give(auth()),
    query: { language },
    transports: ["websocket", "polling"],
    tryAllTransports: true,
    reconnectionDelay: 250,
    reconnectionDelayMax: 800, // with its spread of a fifth: at most a second
    timeout: DIAL_MS,
    randomizationFactor: 0.2,
  });
  let goneSince = 0;
  let timers = [];
  const later = (ms, standing) => timers.push(setTimeout(() => onStanding(standing), ms));
  const stopTimers = () => {
    timers.forEach(clearTimeout);
    timers = [];
  };

  function lineDown() {
    if (goneSince) return;
    goneSince = Date.now();
    later(LOOKING_AFTER_MS, "looking");
    later(LOST_AFTER_MS, "lost");
  }

  function lineUp() {
    const wasLong = goneSince && Date.now() - goneSince > LOOKING_AFTER_MS;
    goneSince = 0;
    stopTimers();
    onStanding(wasLong ? "back" : "");
    if (wasLong) later(BACK_FOR_MS, "");
  }

  socket.on("connect", lineUp);
  socket.on("disconnect", (reason) => {
    lineDown();
    if (reason === "io server disconnect") socket.connect();
  });
  socket.on("connect_error", (error) => {
    lineDown();
    if (error.data?.gone) return onGone(error.data);
    if (socket.active) return undefined;
    // A refusal by the server, with its reason, stops the client's own attempts; there may be room soon.
    stopTimers();
    onStanding("lost", error.message);
    return setTimeout(() => socket.connect(), 1000);
  });
  socket.on("shown", onShown);
  socket.on("gone", onGone);
  lineDown();

  // Ends a call that hangs, too: socket.io would wait for it first.
  const redial = () => socket.disconnect().connect();

  async function sync() {
    if (!socket.connected) return redial();
    const doubt = setTimeout(() => onStanding("catching"), DOUBT_AFTER_MS);
    try {
      await onShown(await socket.timeout(ANSWER_MS).emitWithAck("sync", { is: auth().is }));
      if (!goneSince) onStanding("");
    } catch {
      redial();
    } finally {
      clearTimeout(doubt);
    }
  }

  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") sync();
  });
  addEventListener("pageshow", (event) => event.persisted && sync());
  document.addEventListener("resume", sync); // Chromium froze the page
  addEventListener("online", sync);
  let lastTick = Date.now();
  setInterval(() => {
    const now = Date.now();
    if (now - lastTick > JUMP_MS) sync();
    lastTick = now;
  }, 1000);

  async function send(name, message) {
    // Until it is answered; the id makes sure that it counts once.
    for (;;) {
      await whenConnected(socket);
      try {
        return await socket.timeout(TAP_ANSWER_MS).emitWithAck(name, message);
      } catch {
        if (socket.connected) redial();
      }
    }
  }

  return { send, sync, socket };
}

function whenConnected(socket) {
  if (socket.connected) return Promise.resolve();
  return new Promise((resolve) => socket.once("connect", resolve));
}

export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
