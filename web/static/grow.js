// Scores that grow line by line: what a seat gained comes out one line after the other, its number with it.

const LINE_MS = 900;
const FOLD_MS = 20000; // then the slips go, and the jars are seen again

const still = matchMedia("(prefers-reduced-motion: reduce)");
const slips = () => [...document.querySelectorAll("[data-gains]")];
const last = (slip) => Number(slip.lastElementChild?.dataset.line ?? -1);
const drawn = () => slips().map((slip) => `${slip.dataset.gains} ${slip.dataset.round} ${last(slip)}`).join();

export function growScores() {
  const out = new Map(); // by seat: the round, and the number of the newest line that is out
  let timer = 0;
  let isFolded = false;
  let seen = drawn();

  function known(slip) {
    const { gains: seat, round } = slip.dataset;
    if (out.get(seat)?.round !== round) out.set(seat, { round, upto: -1 });
    const it = out.get(seat);
    it.upto = Math.min(it.upto, last(slip)); // lines were struck
    return it;
  }

  // A push draws all lines and the whole score; what is not out yet is taken off again before it is seen.
  function draw() {
    let waiting = 0;
    for (const slip of slips()) {
      const { upto } = known(slip);
      let due = 0;
      for (const line of slip.children) {
        line.hidden = Number(line.dataset.line) > upto;
        if (line.hidden) due += Number(line.dataset.amount);
        waiting += line.hidden;
      }
      const score = document.querySelector(`[data-score][data-of="${CSS.escape(slip.dataset.gains)}"]`);
      if (score) score.textContent = Number(score.dataset.score) - due;
      slip.classList.toggle("folded", isFolded || last(slip) < 0 || slip.children[0].hidden);
    }
    return waiting;
  }

  function step() {
    const slip = slips().find((one) => known(one).upto < last(one));
    if (slip) {
      const it = known(slip);
      it.upto = Number([...slip.children].find((line) => Number(line.dataset.line) > it.upto).dataset.line);
    }
    goOn();
  }

  function goOn() {
    clearTimeout(timer);
    if (draw()) timer = setTimeout(step, LINE_MS);
    else timer = setTimeout(fold, FOLD_MS);
  }

  function fold() {
    isFolded = true;
    draw();
  }

  function showAll() {
    for (const slip of slips()) known(slip).upto = last(slip);
    goOn();
  }

  document.addEventListener("shown", () => {
    const now = drawn();
    if (now === seen) return draw();
    seen = now;
    isFolded = false;
    return still.matches ? showAll() : goOn();
  });
  showAll(); // what stood there when the page came does not grow anew
}
