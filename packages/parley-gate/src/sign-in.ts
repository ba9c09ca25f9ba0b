/** The OpenID Connect code flow with PKCE for a page without a server. A library would be larger than the element may be. */

export interface Client {
  /** Address of the Parley installation. */
  readonly issuer: string;
  readonly clientId: string;
  /** The page, as it is registered. */
  readonly redirectUri: string;
}

/** What a token says. It came from the installation itself over TLS, so its signature need not be checked here. */
type Claims = Readonly<Record<string, unknown>>;

export interface SignedIn {
  readonly token: string;
  readonly claims: Claims;
}

/** What this tab remembers between leaving the page and coming back. */
interface Begun {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

const keyOf = ({ issuer, clientId }: Client, what: string) => `parley-gate ${issuer} ${clientId} ${what}`;

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(
    /[+/=]/g,
    (sign) => ({ "+": "-", "/": "_" })[sign] ?? "",
  );
}

const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** Leaves the page for the installation, where the person decides. @param claims what is asked, as OpenID Connect has it */
export async function begin(client: Client, claims: object): Promise<void> {
  const begun: Begun = { state: random(), nonce: random(), verifier: random() };
  sessionStorage.setItem(keyOf(client, "begun"), JSON.stringify(begun));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(begun.verifier));
  const query = new URLSearchParams({
    response_type: "code",
    scope: "openid",
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    state: begun.state,
    nonce: begun.nonce,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: "S256",
    claims: JSON.stringify({ id_token: claims }),
  });
  location.assign(new URL(`/oidc/auth?${query}`, client.issuer));
}

/**
 * Finishes a sign-in if this is the page on which the person comes back, else returns what this tab has of an earlier one.
 * @returns null if nobody is signed in
 * @throws Error if the person declined, or the answer is not the one to what this tab began
 */
export async function finish(client: Client): Promise<SignedIn | null> {
  const query = new URLSearchParams(location.search);
  const text = sessionStorage.getItem(keyOf(client, "begun"));
  const begun = text === null ? null : recordOf(text);
  if (!begun || query.get("state") !== begun.state) return kept(client);
  sessionStorage.removeItem(keyOf(client, "begun"));
  history.replaceState(history.state, "", client.redirectUri + location.hash);
  const [code, issuer] = [query.get("code"), query.get("iss")];
  if (code === null) throw new Error(query.get("error_description") ?? "The sign-in failed.");
  if (issuer !== new URL(client.issuer).origin) throw new Error("The answer came from somewhere else.");
  const token = await exchange(client, code, String(begun.verifier));
  const claims = claimsOf(token);
  const isOurs = claims.nonce === begun.nonce && claims.aud === client.clientId && claims.iss === issuer;
  if (!isOurs) throw new Error("The token is for another sign-in.");
  sessionStorage.setItem(keyOf(client, "token"), token);
  return { token, claims };
}

async function exchange(client: Client, code: string, verifier: string): Promise<string> {
  const response = await fetch(new URL("/oidc/token", client.issuer), {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      code,
      code_verifier: verifier,
    }),
  });
  const { id_token: token, error_description: problem } = recordOf(await response.text());
  if (typeof token !== "string") throw new Error(String(problem ?? "The sign-in failed."));
  return token;
}

function kept(client: Client): SignedIn | null {
  const token = sessionStorage.getItem(keyOf(client, "token"));
  const claims = token === null ? null : claimsOf(token);
  return token !== null && claims && Number(claims.exp) * 1000 > Date.now() ? { token, claims } : null;
}

function claimsOf(token: string): Claims {
  const part = (token.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/");
  return recordOf(new TextDecoder().decode(Uint8Array.from(atob(part), (c) => c.charCodeAt(0))));
}

/** @throws Error for what is no JSON object */
function recordOf(json: string): Claims {
  const value: unknown = JSON.parse(json);
  if (typeof value !== "object" || value === null) throw new Error("The answer has another form.");
  return Object.fromEntries(Object.entries(value));
}
