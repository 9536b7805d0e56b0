// While a table is set up, pictures and what devices say come by themselves. Without this module it is a tap.

const PAUSE_MS = 1000;
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

async function renew() {
  const parts = [...document.querySelectorAll("[data-live][id]")];
  if (!parts.length) return;
  const again = parts.find((part) => part.dataset.again)?.dataset.again ?? location.pathname;
  const answer = await fetch(again);
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of parts) {
    const other = fresh.getElementById(part.id);
    if (!other) continue;
    // From when a device first says where it stands, it is looked whether it has moved since.
    part.dataset.again ??= other.dataset.again ?? "";
    if (!part.dataset.again) delete part.dataset.again;
    if (other.innerHTML !== part.innerHTML) part.innerHTML = other.innerHTML;
  }
}

// The next picture is fetched beside the one that is shown, so that nothing flickers.
function look(image) {
  const next = new Image();
  const from = image.getAttribute("src").replace(/\?.*/, "");
  return new Promise((done) => {
    next.onload = () => { image.src = next.src; done(); };
    next.onerror = done;
    next.src = `${from}?${Date.now()}`;
  });
}

async function keepLooking() {
  for (;;) {
    await wait(PAUSE_MS);
    if (document.hidden) continue;
    try {
      await renew();
      for (const image of document.querySelectorAll("img[data-live]")) await look(image);
    } catch {
      // The table is not to be reached; the next look may be.
    }
  }
}

document.documentElement.classList.add("alive");
if (document.querySelector("[data-live]")) keepLooking();
