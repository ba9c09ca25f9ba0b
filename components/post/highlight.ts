import hljs from "highlight.js/lib/common";

/** Longer code is shown as it is: colouring it takes time, and nobody reads it here. */
const LONGEST = 20_000;

/** Colours the code of a post whose language was named. */
export function highlight(root: HTMLElement): void {
  for (const code of root.querySelectorAll<HTMLElement>('pre > code[class^="language-"]')) {
    const language = code.className.replace(/^language-/, "");
    const text = code.textContent ?? "";
    if (text.length > LONGEST || !hljs.getLanguage(language)) continue;
    // The library escapes the text and adds spans with classes of its own.
    code.innerHTML = hljs.highlight(text, { language, ignoreIllegals: true }).value;
  }
}
