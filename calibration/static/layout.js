// The layout editor: spaces are dragged over the board's picture, or moved by the arrow keys.
// Without this module a space is moved by its numbers, or by tapping where it belongs.

const STEP_MM = 1;
const FINE_MM = 0.2;
const STILL_PX = 4; // a finger that moved less has tapped, not dragged
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const canvas = document.getElementById("canvas");
const drawing = canvas.querySelector("svg");
const mmPerPx = () => Number(canvas.dataset.mm) / drawing.getBoundingClientRect().width;

async function save(space, x, y) {
  const body = new URLSearchParams({ do: "move", space, x: x.toFixed(2), y: y.toFixed(2) });
  const answer = await fetch(location.pathname, { method: "POST", body });
  location.replace(answer.url || location.href); // the page says what is wrong now
}

function show(group, dx, dy) {
  group.setAttribute("transform", `translate(${dx.toFixed(2)} ${dy.toFixed(2)})`);
}

function take(group, event) {
  const from = { x: event.clientX, y: event.clientY };
  const start = { x: Number(group.dataset.x), y: Number(group.dataset.y) };
  let off = { x: 0, y: 0 };
  group.setPointerCapture(event.pointerId);
  const move = (moved) => {
    off = { x: (moved.clientX - from.x) * mmPerPx(), y: (moved.clientY - from.y) * mmPerPx() };
    show(group, off.x, off.y);
  };
  const drop = () => {
    group.removeEventListener("pointermove", move);
    const far = Math.hypot(off.x, off.y) / mmPerPx();
    if (far < STILL_PX) location.assign(`?chosen=${encodeURIComponent(group.dataset.space)}`);
    else save(group.dataset.space, start.x + off.x, start.y + off.y);
  };
  const give = () => {
    group.removeEventListener("pointermove", move);
    group.removeEventListener("pointerup", drop);
    show(group, 0, 0);
  };
  group.addEventListener("pointermove", move);
  group.addEventListener("pointerup", drop, { once: true });
  group.addEventListener("pointercancel", give, { once: true });
}

document.documentElement.classList.add("alive");
for (const group of drawing.querySelectorAll("g[data-space]")) {
  group.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    take(group, event);
  });
}

// The chosen space follows the arrow keys while the picture has the focus.
const tapped = canvas.querySelector("input[type=image]");
const chosen = drawing.querySelector("g.chosen");
const moved = { x: 0, y: 0 };
let waits = 0;
if (chosen) {
  tapped.addEventListener("keydown", (event) => {
    const way = ARROWS[event.key];
    if (!way) return;
    event.preventDefault();
    const step = event.shiftKey ? FINE_MM : STEP_MM;
    moved.x += way[0] * step;
    moved.y += way[1] * step;
    show(chosen, moved.x, moved.y);
    clearTimeout(waits);
    const at = () => save(chosen.dataset.space, Number(chosen.dataset.x) + moved.x, Number(chosen.dataset.y) + moved.y);
    waits = setTimeout(at, 600);
  });
}
