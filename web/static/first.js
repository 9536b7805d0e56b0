// A first game: the steps of a page one after the other, and read aloud where the phone can.

const STEPPED = "steps-read"; // the guides that this phone has been through, by their mark

const read = () => new Set((sessionStorage.getItem(STEPPED) || "").split(" ").filter(Boolean));

export function guideAlong() {
  let at = 0;
  let guide = "";
  let isSpeaking = false;
  let spoken = "";
  const canSpeak = "speechSynthesis" in window;

  function apply() {
    const section = document.querySelector("[data-guide]");
    const isNew = section && section.dataset.guide !== guide;
    if (isNew) {
      guide = section.dataset.guide;
      at = 0;
    }
    const isOpen = Boolean(section) && !read().has(guide);
    if (section) showStep(section, isOpen);
    document.body.classList.toggle("stepping", isOpen);
    const aloud = document.querySelector("[data-speak]");
    if (aloud) {
      aloud.hidden = !canSpeak;
      aloud.textContent = isSpeaking ? aloud.dataset.on : aloud.dataset.off;
      aloud.setAttribute("aria-pressed", String(isSpeaking));
    }
    if (isSpeaking) speak();
  }

  function showStep(section, isOpen) {
    const steps = [...section.querySelectorAll("li")];
    at = Math.min(at, steps.length - 1);
    steps.forEach((step, number) => (step.hidden = isOpen && number !== at));
    const count = section.querySelector("[data-count]");
    const words = section.dataset.words.replace("{number}", at + 1).replace("{count}", steps.length);
    count.textContent = isOpen ? words : "";
    const next = section.querySelector("[data-guide-next]");
    next.parentElement.hidden = !isOpen;
    section.querySelector("[data-guide-back]").hidden = at === 0;
    next.dataset.next ??= next.textContent;
    next.textContent = at === steps.length - 1 ? next.dataset.understood : next.dataset.next;
  }

  function speak() {
    const visible = (one) => one && !one.hidden && one.offsetParent !== null;
    const lines = [document.querySelector(".prompt h1"), ...document.querySelectorAll(".prompt .more p, .steps li")];
    const text = lines.filter(visible).map((one) => one.textContent).join(" ");
    if (text === spoken) return;
    spoken = text;
    speechSynthesis.cancel();
    const words = new SpeechSynthesisUtterance(text);
    words.lang = document.documentElement.lang;
    words.rate = 0.95;
    speechSynthesis.speak(words);
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-guide-back]")) at -= 1;
    else if (event.target.closest("[data-guide-next]")) {
      const steps = document.querySelectorAll("[data-guide] li").length;
      if (at < steps - 1) at += 1;
      else sessionStorage.setItem(STEPPED, [...read(), guide].join(" "));
    } else if (event.target.closest("[data-speak]")) {
      isSpeaking = !isSpeaking;
      spoken = "";
      if (!isSpeaking) speechSynthesis.cancel();
    } else return;
    apply();
  });
  apply();
  return apply;
}
