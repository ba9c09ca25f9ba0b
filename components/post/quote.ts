/** Returns what the reader selected within an element; null without a selection, or where it leads out of it. */
export function selectedIn(element: Element | null): string | null {
  const selection = window.getSelection();
  if (!element || !selection || selection.isCollapsed) return null;
  const isInside = element.contains(selection.anchorNode) && element.contains(selection.focusNode);
  return (isInside && selection.toString().trim()) || null;
}

/** Returns a text as a Markdown quote at the end of what was written, with room for the answer. */
export function withQuote(written: string, quoted: string): string {
  const before = written.trimEnd();
  const lines = quoted
    .trim()
    .split("\n")
    .map((line) => `> ${line}`.trimEnd());
  return `${before}${before && "\n\n"}${lines.join("\n")}\n\n`;
}
