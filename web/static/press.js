// A finger on its way down and up, or a key: what it is on stays as it is until it is let go.
// A page that is drawn anew in between moves the button away, or puts another question under the finger.

const HOLD_MS = 1000; // a finger that only rests does not stop the table
const CLICK_WITHIN_MS = 80; // a touch is let go first, and clicks a moment later

export function openPress() {
  let isDown = false;
  let wasDrawn = false; // the page went on under a finger that rested
  let goOn = () => {};
  let over = Promise.resolve();
  let timers = [];

  function after(ms, done) {
    timers.push(setTimeout(done, ms));
  }

  function down(event) {
    if (event.repeat) return;
    up();
    isDown = true;
    over = new Promise((done) => (goOn = done));
    after(HOLD_MS, goOn);
  }

  function up() {
    timers.splice(0).forEach(clearTimeout);
    isDown = false;
    wasDrawn = false;
    goOn();
  }

  for (const name of ["pointerdown", "keydown"]) addEventListener(name, down, true);
  for (const name of ["pointerup", "pointercancel", "keyup"]) {
    addEventListener(name, () => after(CLICK_WITHIN_MS, up), true);
  }
  addEventListener("click", () => after(0, up), true); // what it brings about comes after this listener
  addEventListener("blur", up); // the window's own: nobody tells it of a key that is let go elsewhere

  return {
    isOver: () => over,
    drawn: () => (wasDrawn = isDown),
    wasOutlasted: () => wasDrawn,
  };
}
