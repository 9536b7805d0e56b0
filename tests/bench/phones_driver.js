// Measure a tap until the last of N clients has it; the same for the companion and for boardgame.io.
//
// node phones_driver.js with, in the environment: KIND companion|boardgame, URL, CLIENTS, TAPS, PACE_MS, and for
// the companion TOKENS (of the seats that tap in turn) and WANTS (pages|values). Prints one line of JSON.
// A tap goes out only when everybody has the one before it and the pace allows it, so nothing queues.

const { io } = require("socket.io-client");

const { KIND, URL: url, WANTS = "pages" } = process.env;
const CLIENTS = Number(process.env.CLIENTS || 8);
const TAPS = Number(process.env.TAPS || 300);
const PACE_MS = Number(process.env.PACE_MS || 0);
const TOKENS = JSON.parse(process.env.TOKENS || "[]");
const WARM = 20;
const RUN = Date.now();
const GIVE_UP_MS = 20000;

const nowMs = () => Number(process.hrtime.bigint()) / 1e6;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const share = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
const OPTIONS = { transports: ["websocket"], forceNew: true, reconnection: false };

// Each opens a line and returns { ready, tap }: `ready` once it shows the table; `onSeen(number)` is called with
// a number that grows with every tap that this client has been shown.
const KINDS = {
  companion(index, onSeen) {
    const { token, seat } = TOKENS[index] ?? {};
    const auth = token ? { as: "seat", token } : { as: "watch" };
    if (WANTS === "values") auth.wants = "values";
    const socket = io(url, { ...OPTIONS, auth, query: { language: "en" } });
    const ready = new Promise((done, fail) => {
      socket.once("connect_error", (error) => fail(error));
      socket.on(WANTS === "values" ? "view" : "shown", (message) => {
        done();
        onSeen(message.seq);
      });
    });
    const tap = (number) =>
      socket.emitWithAck("tap", { id: `tap-${RUN}-${number}`, command: { do: "gather", seat, oil: 1 } });
    return { ready, tap, socket };
  },
  boardgame(index, onSeen) {
    const player = index < 4 ? String(index) : null;
    const socket = io(`${url}/bench`, OPTIONS);
    socket.on("connect", () => socket.emit("sync", "table", player, undefined, 4));
    const ready = new Promise((done) => socket.on("sync", () => done()));
    socket.on("update", (_, state) => onSeen(state.G.n));
    const move = { type: "MAKE_MOVE", payload: { type: "bump", args: [0], playerID: player } };
    const tap = () => socket.emit("update", move, 0, "table", player);
    return { ready, tap, socket };
  },
};

async function main() {
  const seen = new Array(CLIENTS).fill(0);
  let wanted = Infinity;
  let everybodyHas = () => {};
  const onSeen = (index) => (number) => {
    seen[index] = Math.max(seen[index], number);
    if (seen.every((one) => one >= wanted)) everybodyHas(nowMs());
  };
  const began = nowMs();
  const lines = [];
  for (let index = 0; index < CLIENTS; index += 1) {
    lines.push(KINDS[KIND](index, onSeen(index)));
    if (index === 0) await lines[0].ready; // boardgame.io makes its match for the first one
  }
  await Promise.all(lines.map((line) => line.ready));
  const joined = nowMs() - began;
  await pause(1000);

  const times = [];
  let bytes = 0;
  lines[1].socket.io.engine.on("data", (data) => typeof data === "string" && (bytes = Math.max(bytes, data.length)));
  for (let number = 1 - WARM; number <= TAPS; number += 1) {
    wanted = Math.max(...seen) + 1;
    const arrived = new Promise((done, fail) => {
      everybodyHas = done;
      setTimeout(() => fail(new Error(`tap ${number}: not everybody has it`)), GIVE_UP_MS).unref();
    });
    const movers = KIND === "companion" ? TOKENS.length : 4;
    const tapped = nowMs();
    lines[(number + WARM) % movers].tap(number + WARM);
    const took = (await arrived) - tapped;
    if (number > 0) times.push(took);
    await pause(Math.max(0, PACE_MS - (nowMs() - tapped)));
  }
  times.sort((one, other) => one - other);
  const round = (ms) => Math.round(ms * 100) / 100;
  const result = { p50_ms: round(share(times, 0.5)), p99_ms: round(share(times, 0.99)), joined_ms: round(joined), bytes };
  process.stdout.write(`${JSON.stringify(result)}\n`);
  process.exit(0);
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
