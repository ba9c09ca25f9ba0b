/**
 * Moves the focus in a log of messages: up and down between messages, left and right between the controls of one. They
 * are not reached by Tab, since a log has hundreds. From the log itself, up goes to the last message in view.
 * @returns whether the key did something
 */
export function moveFocus(box: HTMLElement, key: string): boolean {
  const step = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -1, ArrowRight: 1 }[key];
  const focused = document.activeElement;
  if (step === undefined || !focused || !box.contains(focused)) return false;
  const line = focused.closest<HTMLElement>("[data-line]");
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const controls = line ? controlsOf(line) : [];
    return focus(controls[controls.findIndex((one) => one.matches(":focus")) + step]);
  }
  const lines = [...box.querySelectorAll<HTMLElement>("[data-line]")].filter(
    (one) => one === line || controlsOf(one).length > 0,
  );
  if (line) return focus(menuOf(lines[lines.indexOf(line) + step]));
  if (focused !== box || step > 0) return false;
  const bottom = box.getBoundingClientRect().bottom;
  return focus(menuOf(lines.findLast((one) => one.getBoundingClientRect().top < bottom)));
}

/** Opens the menu of a message. @returns whether it has one */
export function openMenu(line: HTMLElement): boolean {
  const menu = controlsOf(line).findLast((one) => one.ariaHasPopup === "menu");
  menu?.click();
  return menu !== undefined;
}

function controlsOf(line: HTMLElement): HTMLElement[] {
  return [...line.querySelectorAll<HTMLElement>("button[tabindex='-1']:not(:disabled)")];
}

function menuOf(line: HTMLElement | undefined): HTMLElement | undefined {
  return line && controlsOf(line).at(-1);
}

function focus(element: HTMLElement | undefined): boolean {
  element?.focus();
  return element !== undefined;
}

/** Focuses a message, whose menu or form is gone. */
export function focusLine(id: string): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-line="${CSS.escape(id)}"]`)?.focus({ preventScroll: true }),
  );
}
