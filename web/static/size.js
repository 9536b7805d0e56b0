// A, A+, A++: three text sizes, remembered on this phone.

const SIZES = ["", "bigger", "biggest"];
const LETTERS = ["A", "A+", "A++"];

export function rememberSize() {
  let size = Number(localStorage.getItem("size") || 0) % SIZES.length;
  const apply = () => {
    document.documentElement.classList.remove("bigger", "biggest");
    if (SIZES[size]) document.documentElement.classList.add(SIZES[size]);
    for (const letters of document.querySelectorAll("[data-size] b")) letters.textContent = LETTERS[size];
  };
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-size]")) return;
    size = (size + 1) % SIZES.length;
    localStorage.setItem("size", String(size));
    apply();
  });
  apply();
  return apply;
}
