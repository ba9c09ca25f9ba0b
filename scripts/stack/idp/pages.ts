/**
 * The pages of the development identity provider: plain HTML, no script, light and dark. They look
 * deliberately unlike the product so that nobody takes this for a real sign-in.
 */

const STYLE = `
:root { color-scheme: light dark; --ground: #eef1f5; --sheet: #fff; --ink: #1b1f24; --soft: #59626c; --line: #d3d9e0; --act: #24527a; --on-act: #fff; --warn: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --ground: #12161b; --sheet: #1b2027; --ink: #e8ecf0; --soft: #a3adb8; --line: #313944; --act: #8dbbe4; --on-act: #10151a; --warn: #e6b24c; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 16px; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 380px; padding: 28px; background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; }
.kind { margin: 0 0 16px; color: var(--warn); font-size: 13px; font-weight: 600; }
h1 { margin: 0 0 8px; font-size: 22px; line-height: 1.25; }
p { margin: 0 0 16px; color: var(--soft); }
label { display: block; margin-bottom: 6px; font-weight: 600; font-size: 14px; }
input[type=text], input[type=email] { width: 100%; height: 44px; padding: 0 12px; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 6px; }
input[name=user_code] { text-transform: uppercase; letter-spacing: .1em; }
button { height: 44px; padding: 0 18px; margin-top: 16px; font: inherit; font-weight: 600; border-radius: 6px; border: 1px solid var(--act); background: var(--act); color: var(--on-act); cursor: pointer; }
button.quiet { background: transparent; border-color: var(--line); color: var(--ink); }
:focus-visible { outline: 2px solid var(--act); outline-offset: 2px; }
.wrong { color: var(--warn); font-weight: 600; }
code { font-size: 22px; letter-spacing: .08em; color: var(--ink); }
`;

/** Escapes text for HTML content and double-quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main><p class="kind">Development identity provider</p>${body}</main></body></html>`;
}

/** The one question this provider asks: which address do you want to be? */
export function loginPage(view: {
  uid: string;
  client: string;
  email: string;
  suggestions: readonly string[];
  wrong?: string;
}): string {
  const options = view.suggestions.map((s) => `<option value="${escapeHtml(s)}"></option>`).join("");
  const problem = view.wrong ? `<p class="wrong" role="alert" id="wrong">${escapeHtml(view.wrong)}</p>` : "";
  return page(
    "Sign in",
    `<h1>Sign in</h1>
<p>${escapeHtml(view.client)} asks for your email address. Type any address of any company: nothing is checked and no mail is sent.</p>
${problem}<form method="post" action="/interaction/${escapeHtml(view.uid)}">
<label for="email">Email address</label>
<input id="email" name="email" type="email" required maxlength="128" autofocus autocomplete="off" autocapitalize="none" spellcheck="false" list="people" placeholder="you@company.example" value="${escapeHtml(view.email)}"${view.wrong ? ' aria-describedby="wrong" aria-invalid="true"' : ""}>
<datalist id="people">${options}</datalist>
<button type="submit">Sign in</button>
<button type="submit" class="quiet" name="cancel" value="yes" formnovalidate>Cancel</button>
</form>`,
  );
}

/** Device flow, step 1: the person types the code their agent shows. `form` is oidc-provider's own. */
export function deviceCodePage(form: string, problem: string | null): string {
  return page(
    "Connect a device",
    `<h1>Connect a device</h1><p${problem ? ' class="wrong" role="alert"' : ""}>${escapeHtml(problem ?? "Enter the code your agent or device shows.")}</p>${form}
<button type="submit" form="op.deviceInputForm">Continue</button>`,
  );
}

/** Device flow, step 2: the same code, to be compared by eye. */
export function deviceConfirmPage(form: string, client: string, userCode: string): string {
  return page(
    "Is this your device?",
    `<h1>Is this your device?</h1><p>${escapeHtml(client)} should show this code:</p><p><code>${escapeHtml(userCode)}</code></p>${form}
<button type="submit" form="op.deviceConfirmForm">Yes, continue</button>
<button type="submit" class="quiet" form="op.deviceConfirmForm" name="abort" value="yes">No, stop</button>`,
  );
}

/** A page with a heading and one sentence: success of the device flow, and errors. */
export function messagePage(title: string, sentence: string): string {
  return page(title, `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(sentence)}</p>`);
}
