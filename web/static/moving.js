// The page with a seat's code looks by itself whether the other phone has the seat, or the code is over.

const LOOK_MS = 2000;

async function look() {
  try {
    const answer = await fetch(location.href);
    if (answer.redirected || !answer.ok) return location.replace(answer.url);
  } catch {
    // No line just now; the code may still be scanned.
  }
  return setTimeout(look, LOOK_MS);
}
setTimeout(look, LOOK_MS);
