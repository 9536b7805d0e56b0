// One line at the bottom that stays until it is read: why something was refused, or what came of it.

export function openToast(place) {
  const clear = () => place.replaceChildren();

  function show({ ok, why, cites, instead }) {
    const box = document.createElement("div");
    box.className = ok ? "toast" : "toast refused";
    const text = document.createElement("span");
    text.append(why || "");
    for (const line of [instead, cites]) {
      if (!line) continue;
      const small = document.createElement("small");
      small.textContent = line;
      text.append(small);
    }
    const button = document.createElement("button");
    button.type = "button";
    button.className = "knob";
    button.textContent = place.dataset.close;
    button.addEventListener("click", clear);
    box.append(text, button);
    place.replaceChildren(box);
  }

  return { show, clear };
}
