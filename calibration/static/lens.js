// While a lens is being measured the page looks by itself. Without this module each look is a tap.

const PAUSE_MS = 700;

async function look() {
  const form = document.getElementById("look");
  if (!form || form.dataset.live !== "yes" || document.hidden) return;
  const body = new URLSearchParams({ do: "look" });
  const answer = await fetch(location.pathname, { method: "POST", body });
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const picture = fresh.querySelector("main img");
  if (picture) picture.src = `${picture.getAttribute("src")}.${Date.now()}`; // never the one before
  for (const part of ["main", ".prompt"]) document.querySelector(part).replaceWith(fresh.querySelector(part));
}

async function keepLooking() {
  try {
    await look();
  } catch {
    // The table is not to be reached; the next look may be.
  }
  setTimeout(keepLooking, PAUSE_MS);
}

if (document.getElementById("look")) keepLooking();
