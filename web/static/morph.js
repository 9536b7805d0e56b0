// Make one piece of the page equal to another without replacing what stays the same:
// focus, typed words and open details survive. Children with a data-key or id are matched by it.

const keyOf = (node) => (node.nodeType === Node.ELEMENT_NODE ? node.dataset?.key || node.id || "" : "");

const isAlike = (one, other) =>
  one.nodeType === other.nodeType && one.nodeName === other.nodeName && keyOf(one) === keyOf(other);

function matchAttributes(have, want) {
  for (const { name, value } of want.attributes) {
    if (have.getAttribute(name) !== value) have.setAttribute(name, value);
  }
  for (const { name } of [...have.attributes]) {
    if (want.hasAttribute(name)) continue;
    if (name === "open" && have.nodeName === "DETAILS") continue; // a person opened it
    have.removeAttribute(name);
  }
}

function find(from, want) {
  if (!from || isAlike(from, want)) return from;
  if (!keyOf(want)) return null;
  let node = from.nextSibling;
  while (node && !isAlike(node, want)) node = node.nextSibling;
  return node;
}

// Remove from a place on what is wanted nowhere below: nothing that stays is moved or made anew for it, since what
// is moved loses its focus, and the tap of a finger that is on it.
function skipGone(at, wanted) {
  while (at && !wanted.some((child) => isAlike(at, child))) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
  return at;
}

function matchChildren(have, want) {
  const wanted = [...want.childNodes];
  let at = have.firstChild;
  for (const [number, child] of wanted.entries()) {
    at = skipGone(at, wanted.slice(number));
    const found = find(at, child);
    if (!found) {
      have.insertBefore(document.importNode(child, true), at);
      continue;
    }
    if (found === at) at = at.nextSibling;
    else have.insertBefore(found, at);
    morph(found, child);
  }
  skipGone(at, []);
}

export function morph(have, want) {
  if (have.nodeType !== Node.ELEMENT_NODE) {
    if (have.nodeValue !== want.nodeValue) have.nodeValue = want.nodeValue;
    return;
  }
  matchAttributes(have, want);
  matchChildren(have, want);
}

export function morphInto(element, html) {
  const parsed = new DOMParser().parseFromString(html, "text/html").body;
  matchChildren(element, parsed);
}
