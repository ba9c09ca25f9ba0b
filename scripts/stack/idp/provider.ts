import Provider, { type Configuration, errors, type JWK } from "oidc-provider";
import { claimsOf, emailSchema } from "./accounts";
import { DEVICE_CLIENT_ID, WEB_CLIENT_ID } from "./clients";
import { deviceCodePage, deviceConfirmPage, messagePage } from "./pages";

export const SESSION_COOKIE = "idp_session";

/** As real providers do; long enough to prove after a coffee, short enough to notice expiry in development. */
const ID_TOKEN_SECONDS = 3600;

export interface ProviderOptions {
  /** Exact `iss`, without trailing slash. */
  issuer: string;
  /** Private RS256 signing keys, kept across restarts. */
  signingKeys: JWK[];
  /** Signs this provider's cookies. */
  cookieKey: string;
  /** Origins (scheme, host, port) that may receive tokens and call from a browser. */
  clientOrigins: readonly string[];
}

/**
 * The development identity provider: implicit `id_token` (fragment, nonce) for browsers and the device
 * flow for agents, RS256, any address. State lives in memory: only the keys survive a restart.
 */
export function createProvider(options: ProviderOptions): Provider {
  const provider = new Provider(options.issuer, configuration(options));
  const origins = new Set(options.clientOrigins);

  // Any page of a known origin may be the callback, http and localhost included, which is what
  // development needs and the library's registration of implicit clients refuses.
  provider.Client.prototype.redirectUriAllowed = (uri: string) =>
    URL.canParse(uri) && origins.has(new URL(uri).origin);
  return provider;
}

function configuration(options: ProviderOptions): Configuration {
  const origins = new Set(options.clientOrigins);
  return {
    jwks: { keys: options.signingKeys },
    clients: [
      {
        client_id: WEB_CLIENT_ID,
        client_name: "Parley",
        grant_types: ["implicit"],
        response_types: ["id_token"],
        // Registration refuses http and localhost for implicit clients; what is allowed is decided above.
        redirect_uris: ["https://parley.invalid/"],
        token_endpoint_auth_method: "none",
      },
      {
        client_id: DEVICE_CLIENT_ID,
        client_name: "A Parley agent",
        grant_types: ["urn:ietf:params:oauth:grant-type:device_code"],
        response_types: [],
        redirect_uris: [],
        token_endpoint_auth_method: "none",
      },
    ],
    responseTypes: ["id_token"],
    scopes: ["openid", "email"],
    claims: { openid: ["sub"], email: ["email", "email_verified", "xms_edov"] },
    conformIdTokenClaims: false,
    findAccount: (_ctx, id) => {
      const email = emailSchema.safeParse(id);
      return email.success ? { accountId: email.data, claims: () => claimsOf(email.data) } : undefined;
    },
    clientBasedCORS: (_ctx, origin) => origins.has(origin),
    // Everybody consents to everything here: the one grant is made on the fly.
    loadExistingGrant: async (ctx) => {
      const { client, session, params } = ctx.oidc;
      const grant = new ctx.oidc.provider.Grant({
        clientId: client?.clientId,
        accountId: session?.accountId,
      });
      grant.addOIDCScope(typeof params?.scope === "string" ? params.scope : "openid email");
      await grant.save();
      return grant;
    },
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      deviceFlow: {
        enabled: true,
        userCodeInputSource: (ctx, form, _out, err) => {
          ctx.body = deviceCodePage(
            form.replace("<input\n", '<input aria-label="Code" '),
            deviceProblem(err),
          );
        },
        userCodeConfirmSource: (ctx, form, client, _device, userCode) => {
          ctx.body = deviceConfirmPage(form, client.clientName ?? client.clientId, userCode);
        },
        successSource: (ctx) => {
          ctx.body = messagePage(
            "Signed in",
            "Go back to your agent: it continues by itself. You can close this page.",
          );
        },
      },
    },
    renderError: (ctx, out) => {
      ctx.type = "html";
      ctx.body = messagePage("That did not work", out.error_description ?? out.error);
    },
    // Cookies ignore ports: names of our own keep them apart from whatever else runs on localhost.
    cookies: {
      keys: [options.cookieKey],
      names: { session: SESSION_COOKIE, interaction: "idp_interaction", resume: "idp_resume" },
    },
    ttl: {
      IdToken: ID_TOKEN_SECONDS,
      DeviceCode: 600,
      Interaction: 3600,
      Session: 86_400,
      Grant: 86_400,
      AccessToken: 600,
    },
  };
}

function deviceProblem(err: unknown): string | null {
  if (!err) return null;
  const name = err instanceof Error ? err.name : "";
  if (name === "AbortedError") return "Stopped. The device was not connected.";
  if (err instanceof errors.OIDCProviderError || name !== "NoCodeError")
    return "That code is not valid here. Check it and try again.";
  return "Enter the code your agent or device shows.";
}
