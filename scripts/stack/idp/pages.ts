import { escapeHtml, plainPage } from "../plain-page";

/** The pages of the development identity provider. */

function page(title: string, body: string): string {
  return plainPage({ kind: "Development identity provider", title, body, width: 380 });
}

/** Returns the sign-in page, which asks for an email address. */
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

/** Returns step 1 of the device flow: the user types the code that their agent shows. `form` is oidc-provider's. */
export function deviceCodePage(form: string, problem: string | null): string {
  return page(
    "Connect a device",
    `<h1>Connect a device</h1><p${problem ? ' class="wrong" role="alert"' : ""}>${escapeHtml(problem ?? "Enter the code your agent or device shows.")}</p>${form}
<button type="submit" form="op.deviceInputForm">Continue</button>`,
  );
}

/** Returns step 2 of the device flow: the user compares the codes. */
export function deviceConfirmPage(form: string, client: string, userCode: string): string {
  return page(
    "Is this your device?",
    `<h1>Is this your device?</h1><p>${escapeHtml(client)} should show this code:</p><p><code>${escapeHtml(userCode)}</code></p>${form}
<button type="submit" form="op.deviceConfirmForm">Yes, continue</button>
<button type="submit" class="quiet" form="op.deviceConfirmForm" name="abort" value="yes">No, stop</button>`,
  );
}

/** Returns a page with a heading and one sentence, for success of the device flow and for errors. */
export function messagePage(title: string, sentence: string): string {
  return page(title, `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(sentence)}</p>`);
}
