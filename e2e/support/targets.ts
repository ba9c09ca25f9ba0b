/**
 * What can be pressed in this document and is smaller than 44 px, as text; it runs in the page. A control's label and what lies over
 * its row (`stretched`) count as its own. As WCAG 2.5.5 has it, links in the run of a text do not count, nor what somebody
 * else put there, nor what only a keyboard meets.
 */
export function smallTargets(): readonly string[] {
  const MIN = 43.5;
  const pressed =
    'a[href], button, input:not([type="hidden"]), select, textarea, summary, [role="button"], [role="menuitem"], [role="radio"], [role="checkbox"], [role="option"], [role="slider"]';
  const dialog = document.querySelector("dialog:modal");

  const boxesOf = (element: Element): DOMRect[] => {
    const boxes = [element.getBoundingClientRect()];
    if (element instanceof HTMLInputElement || element instanceof HTMLSelectElement) {
      for (const label of element.labels ?? []) boxes.push(label.getBoundingClientRect());
    }
    for (const pseudo of ["::after", "::before"]) {
      const style = getComputedStyle(element, pseudo);
      if (style.content === "none" || style.position !== "absolute") continue;
      let around: Element | null = element;
      while (around && getComputedStyle(around).position === "static") around = around.parentElement;
      if (!around) continue;
      const box = around.getBoundingClientRect();
      const inset = (value: string) => Number.parseFloat(value) || 0;
      boxes.push(
        new DOMRect(
          box.x + inset(style.left),
          box.y + inset(style.top),
          box.width - inset(style.left) - inset(style.right),
          box.height - inset(style.top) - inset(style.bottom),
        ),
      );
    }
    return boxes;
  };
  /** In a line of other words: its height is the line's, and making it higher would tear the text apart. */
  const isInText = (element: Element): boolean => {
    if (getComputedStyle(element).display !== "inline") return false;
    let around = element.parentElement;
    while (around && getComputedStyle(around).display === "inline") around = around.parentElement;
    return (around?.textContent?.trim().length ?? 0) > (element.textContent?.trim().length ?? 0) + 1;
  };
  const isThere = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    if (style.visibility === "hidden" || style.clipPath === "inset(50%)") return false;
    return width > 1 && height > 1;
  };
  return [...document.querySelectorAll(pressed)]
    .filter((element) => !dialog || dialog.contains(element))
    .filter((element) => isThere(element) && !element.closest("[inert], [aria-hidden='true']"))
    .filter((element) => {
      const boxes = boxesOf(element);
      return !boxes.some(({ width, height }) => width >= MIN && height >= MIN);
    })
    .filter((element) => !isInText(element))
    .map((element) => {
      const { width, height } = element.getBoundingClientRect();
      return `${Math.round(width)} x ${Math.round(height)}: ${element.outerHTML.slice(0, 220)}`;
    });
}
