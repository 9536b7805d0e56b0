// Taps that are not answered yet: kept on this phone, sent one after the other, each until it is answered.
// The id of a tap makes it count once however often it goes out, so a reload or a second tab may send it again.

const BREATH_MS = 250; // after "too many taps at once"

export function openOutbox({ token, send, onLate }) {
  const prefix = `tap:${token}:`;
  const queue = remembered(prefix);
  let number = 0;
  let isSending = false;
  let onEmpty = [];

  function add(message) {
    number += 1;
    const key = `${prefix}${Date.now()}-${String(number).padStart(5, "0")}`;
    const answered = new Promise((done) => queue.push({ key, message, done }));
    remember(key, message);
    sendAll();
    return answered;
  }

  async function sendAll() {
    if (isSending) return;
    isSending = true;
    while (queue.length) {
      const { key, message, done = onLate } = queue[0];
      const answer = await send("tap", message);
      if (answer.key === "web.refused.too_fast") {
        await new Promise((goOn) => setTimeout(goOn, BREATH_MS));
        continue;
      }
      queue.shift();
      forget(key);
      done(answer);
    }
    isSending = false;
    onEmpty.splice(0).forEach((goOn) => goOn());
  }

  const whenEmpty = () => (queue.length ? new Promise((goOn) => onEmpty.push(goOn)) : Promise.resolve());
  const clear = () => queue.splice(0).forEach(({ key }) => forget(key));

  sendAll();
  return { add, whenEmpty, clear, isEmpty: () => !queue.length };
}

// Storage may be full or forbidden; then a tap lives as long as its page.
function remember(key, message) {
  try {
    localStorage.setItem(key, JSON.stringify(message));
  } catch {
    return;
  }
}

function forget(key) {
  try {
    localStorage.removeItem(key);
  } catch {
    return;
  }
}

function remembered(prefix) {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
    return keys.sort().map((key) => ({ key, message: JSON.parse(localStorage.getItem(key)) }));
  } catch {
    return [];
  }
}
