/** Returns what lists consist of, in the order of reading; a chat's messages have arrow keys of their own. */
function entries(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("main article")].filter(
    (entry) => entry.checkVisibility() && !entry.closest("[role=log]"),
  );
}

/** Focuses the next or previous entry: its link to the whole, or the entry itself. */
function move(by: 1 | -1): void {
  const all = entries();
  const at = all.findLastIndex((entry) => entry.contains(document.activeElement));
  // Without a focus, start with what is on the screen.
  const next = at < 0 ? all.find((entry) => entry.getBoundingClientRect().bottom > 0) : all[at + by];
  if (!next) return;
  const link = next.querySelector<HTMLElement>("a.stretched");
  if (!link) next.tabIndex = -1;
  (link ?? next).focus({ preventScroll: true });
  next.scrollIntoView({ block: next.offsetHeight > window.innerHeight / 2 ? "start" : "center" });
}

/** Presses what has this key, in the entry with the focus or else on the page; a field gets the focus. */
function press(key: string): boolean {
  const named = [...document.querySelectorAll<HTMLElement>(`[aria-keyshortcuts="${key}"]`)].filter((one) =>
    one.checkVisibility(),
  );
  const here = document.activeElement?.closest("article");
  const element = named.find((one) => here && one.closest("article") === here) ?? named[0];
  if (element instanceof HTMLTextAreaElement) element.focus();
  else element?.click();
  return element !== undefined;
}

/** Does what a key stands for. @param push goes to a page */
export function act(key: string, push: (path: string) => void): void {
  if (key === "j") move(1);
  else if (key === "k") move(-1);
  else if (!press(key) && key === "c") push("/write");
}
