"""What can be read from three metres: every visible text of a page with its height, contrast and place."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Page

READ = """() => {
  const found = [];
  const rgb = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = (colour) => {
    const [r, g, b] = rgb(colour).slice(0, 3).map((it) => it / 255)
      .map((it) => (it <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const isSolid = (colour) => rgb(colour).length === 3 || rgb(colour)[3] === 1;
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (one instanceof SVGElement) continue;
      if (isSolid(style.backgroundColor)) return style.backgroundColor;
    }
    return "";
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent.trim();
    if (!text || element.closest("symbol,script,noscript,.unseen")) continue;
    const style = getComputedStyle(element);
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (!box.width || !box.height || style.visibility === "hidden") continue;
    const isDrawn = element instanceof SVGElement;
    const scale = isDrawn ? element.getScreenCTM().a : 1;
    const back = behind(element);
    const front = isDrawn ? style.fill : style.color;
    // In the ring: text on its sector, which is close to the page's own colour.
    const [one, other] = [light(front), light(back)].sort((a, b) => b - a);
    let gone = false;
    let cut = false;
    let right = box.right;
    for (let up = element; up && up !== document.body; up = up.parentElement) {
      const of = getComputedStyle(up);
      if (of.overflow === "visible" || up instanceof SVGElement) continue;
      const edge = up.getBoundingClientRect();
      if (of.textOverflow === "ellipsis") right = Math.min(right, edge.right);
      gone = gone || box.left >= edge.right - 1; // wrapped out of sight, whole
      cut = cut || box.bottom > edge.bottom + 2 || right > edge.right + 2;
    }
    cut = cut || box.left < -1 || box.top < -1 || right > innerWidth + 1 || box.bottom > innerHeight + 1;
    if (gone) continue;
    found.push({ text, share: (parseFloat(style.fontSize) * scale) / innerHeight,
      contrast: back ? (one + 0.05) / (other + 0.05) : 0, cut });
  }
  return found;
}"""


@dataclass(frozen=True, slots=True)
class Text:
    """A text: its size as a share of the screen's height, its contrast, whether something cuts it off."""

    text: str
    share: float
    contrast: float
    cut: bool


def texts(page: Page) -> list[Text]:
    """Return every text that a page shows now."""
    return [Text(**one) for one in page.evaluate(READ)]
