/**
 * The frame of the development services' pages: plain HTML, no script, light and dark. They deliberately look unlike the
 * product.
 */

const STYLE = `
:root { color-scheme: light dark; --ground: #eef1f5; --sheet: #fff; --ink: #1b1f24; --soft: #59626c; --line: #d3d9e0; --act: #24527a; --on-act: #fff; --warn: #8a5a00; --good: #1d6b3c; }
@media (prefers-color-scheme: dark) { :root { --ground: #12161b; --sheet: #1b2027; --ink: #e8ecf0; --soft: #a3adb8; --line: #313944; --act: #8dbbe4; --on-act: #10151a; --warn: #e6b24c; --good: #7fd09d; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 16px; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: var(--width); padding: 28px; background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; }
.kind { margin: 0 0 16px; color: var(--warn); font-size: 13px; font-weight: 600; }
h1 { margin: 0 0 8px; font-size: 22px; line-height: 1.25; }
h2 { margin: 28px 0 8px; font-size: 17px; line-height: 1.3; }
p { margin: 0 0 16px; color: var(--soft); }
label { display: block; margin-bottom: 6px; font-weight: 600; font-size: 14px; }
input[type=text], input[type=email], select { width: 100%; height: 44px; padding: 0 12px; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 6px; }
select option { color: var(--ink); background: var(--sheet); }
input[name=user_code] { text-transform: uppercase; letter-spacing: .1em; }
button { height: 44px; padding: 0 18px; margin-top: 16px; font: inherit; font-weight: 600; border-radius: 6px; border: 1px solid var(--act); background: var(--act); color: var(--on-act); cursor: pointer; }
button.quiet { background: transparent; border-color: var(--line); color: var(--ink); }
:focus-visible { outline: 2px solid var(--act); outline-offset: 2px; }
.wrong { color: var(--warn); font-weight: 600; }
.done { color: var(--good); font-weight: 600; }
code { font-size: 22px; letter-spacing: .08em; color: var(--ink); }
`;

/** Escapes text for HTML content and double-quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

/**
 * Returns a whole page.
 * @param view.kind the name of the service, shown at the top
 * @param view.body HTML, already escaped
 * @param view.width of the sheet in pixels
 * @param view.style additional CSS
 */
export function plainPage(view: {
  kind: string;
  title: string;
  body: string;
  width: number;
  style?: string;
}): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(view.title)}</title><style>:root { --width: ${view.width}px; }${STYLE}${view.style ?? ""}</style></head>
<body><main><p class="kind">${escapeHtml(view.kind)}</p>${view.body}</main></body></html>`;
}

/** Headers of every page. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};
