// A button that prints the page; without script the browser's own menu does.

document.documentElement.classList.add("alive");
document.querySelector("[data-print]")?.addEventListener("click", () => print());
