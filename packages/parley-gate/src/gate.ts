import { begin, type Client, finish, type SignedIn } from "./sign-in";

const styles = `
  :host { display: block }
  button {
    font: inherit; padding: 0.6em 1.1em; border-radius: 0.5em; cursor: pointer;
    border: 1px solid currentColor; background: Canvas; color: CanvasText;
  }
  button:focus-visible { outline: 3px solid Highlight; outline-offset: 2px }
  p { margin: 0.5em 0; max-width: 60ch }
`;

/** Splits an attribute's list; null for one that is empty, which asks for any value. */
function valuesOf(text: string): string[] | null {
  const values = text.split(/[\s,]+/).filter(Boolean);
  return values.length > 0 ? values : null;
}

/**
 * `<parley-gate issuer client-id [domain] [countries] [human] [src]>`: shows what is inside it, or what `src` answers, to
 * whoever signs in with Parley and has proven what it asks for. Events: `parley-signed-in`, `parley-problem`.
 */
class ParleyGate extends HTMLElement {
  readonly #root = this.attachShadow({ mode: "open" });

  connectedCallback(): void {
    void this.#open();
  }

  get #client(): Client {
    const { origin, pathname } = location;
    return {
      issuer: this.getAttribute("issuer") ?? "",
      clientId: this.getAttribute("client-id") ?? "",
      redirectUri: origin + pathname,
    };
  }

  /** What is asked, and must be allowed, as the `claims` of OpenID Connect. */
  get #asked(): Record<string, object> {
    const asked: Record<string, object> = {};
    const ask = (claim: string, values: string[] | null) => {
      asked[claim] = { essential: true, ...(values && { values }) };
    };
    const [domain, countries] = [this.getAttribute("domain"), this.getAttribute("countries")];
    if (domain !== null) ask("domain", valuesOf(domain));
    if (countries !== null) ask("country_in", valuesOf(countries));
    if (this.hasAttribute("human")) ask("human", null);
    return asked;
  }

  /** Whether a token says all that is asked; one of an earlier visit may be about something else. */
  #suits({ claims }: SignedIn): boolean {
    return Object.entries(this.#asked).every(([claim, rule]) => {
      const told = claims[claim];
      if (told === undefined) return false;
      return !("values" in rule) || [told].flat().every((one) => [rule.values].flat().includes(one));
    });
  }

  async #open(): Promise<void> {
    try {
      const signedIn = await finish(this.#client);
      if (signedIn && this.#suits(signedIn)) await this.#show(signedIn);
      else this.#close();
    } catch (error) {
      this.#close(error instanceof Error ? error.message : String(error));
    }
  }

  async #show({ token, claims }: SignedIn): Promise<void> {
    const src = this.getAttribute("src");
    if (src !== null) {
      const url = new URL(src, location.href);
      // A token is for this site alone.
      if (url.origin !== location.origin) throw new Error("src must be an address of this site.");
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      const [text, type] = [await response.text(), response.headers.get("content-type") ?? ""];
      if (!response.ok) throw new Error(text || "The site refused the sign-in.");
      if (type.startsWith("text/html")) this.innerHTML = text;
      else this.textContent = text;
    }
    this.#root.replaceChildren(document.createElement("slot"));
    this.#tell("parley-signed-in", { token, claims });
  }

  /** Shows the button, with what went wrong before. */
  #close(problem?: string): void {
    const [style, button, note] = ["style", "button", "p"].map((name) => document.createElement(name));
    if (!style || !button || !note) return;
    style.textContent = styles;
    button.textContent = this.getAttribute("label") ?? "Sign in with Parley";
    button.setAttribute("part", "button");
    button.addEventListener("click", () => {
      begin(this.#client, this.#asked).catch((error: unknown) => this.#close(String(error)));
    });
    note.setAttribute("role", "alert");
    note.textContent = problem ?? "";
    this.#root.replaceChildren(style, button, note);
    if (problem !== undefined) this.#tell("parley-problem", { message: problem });
  }

  #tell(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

if (!customElements.get("parley-gate")) customElements.define("parley-gate", ParleyGate);
