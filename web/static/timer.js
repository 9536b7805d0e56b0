// A soft timer: counts the running phase down and says when time is up. Nothing ends by it.

const TICK_MS = 250;

export function openTimer({ onUp }) {
  let endsAt = 0; // by this phone's own monotonic clock; the server says only how long is gone
  let isUp = false;
  let restsWith = null; // ms that are left while the table rests; the clock stands

  function set(timer) {
    const [ofMs, goneMs, isResting] = timer ?? [0, 0, false];
    restsWith = isResting ? ofMs - goneMs : null;
    const ends = ofMs ? performance.now() + ofMs - goneMs : 0;
    isUp = ends !== 0 && ends <= performance.now();
    endsAt = ends;
    apply();
  }

  function apply() {
    const left = Math.ceil((restsWith ?? endsAt - performance.now()) / 1000);
    const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    const words = !endsAt ? "" : left > 0 ? clock : document.body.dataset.timeUp;
    for (const place of document.querySelectorAll("[data-timer-shown]")) {
      if (place.textContent !== words) place.textContent = words;
      place.classList.toggle("up", Boolean(endsAt) && left <= 0);
    }
    if (endsAt && left <= 0 && !isUp && restsWith === null) {
      isUp = true;
      onUp();
    }
  }

  setInterval(apply, TICK_MS);
  return { set, apply };
}
