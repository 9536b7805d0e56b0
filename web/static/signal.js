// "Your turn" for ears and hands: two short tones once they are wished for, and a buzz where phones have one.
// Whatever sounds is also seen: the band at the top and the title of the page.

const TONES_HZ = [523, 784];
const TONE_S = 0.12;
const TIME_UP_HZ = [392];
const BUZZ_MS = 60;

export function openSignal() {
  let isOn = localStorage.getItem("sound") === "on";
  let context = null;
  let asked = null; // the seats of this phone that were asked something when we last looked

  function wake() {
    // Browsers give sound only after a tap; a page that was opened anew needs one, too.
    const Context = window.AudioContext;
    if (!isOn || !Context) return;
    context ??= new Context();
    if (context.state === "suspended") context.resume();
  }

  function ring(tones) {
    if (isOn && context?.state === "running") {
      tones.forEach((hz, number) => play(hz, context.currentTime + number * TONE_S));
    }
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(BUZZ_MS);
  }

  function play(hz, at) {
    const tone = context.createOscillator();
    const loudness = context.createGain();
    tone.frequency.value = hz;
    loudness.gain.setValueAtTime(0.0001, at);
    loudness.gain.exponentialRampToValueAtTime(0.2, at + 0.02);
    loudness.gain.exponentialRampToValueAtTime(0.0001, at + TONE_S);
    tone.connect(loudness).connect(context.destination);
    tone.start(at);
    tone.stop(at + TONE_S);
  }

  function apply() {
    const now = new Set([...document.querySelectorAll("[data-turn]")].map((one) => one.dataset.turn));
    const isNews = asked !== null && [...now].some((seat) => !asked.has(seat));
    asked = now;
    if (isNews) ring(TONES_HZ);
    const button = document.querySelector("[data-sound]");
    if (!button) return;
    button.textContent = isOn ? button.dataset.on : button.dataset.off;
  }

  addEventListener("pointerdown", wake);
  addEventListener("keydown", wake);
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-sound]")) return;
    isOn = !isOn;
    localStorage.setItem("sound", isOn ? "on" : "off");
    wake();
    apply();
    if (isOn) ring(TONES_HZ);
  });
  apply();
  return { apply, timeUp: () => ring(TIME_UP_HZ) };
}
