import Provider, { type Configuration, errors, type JWK } from "oidc-provider";
import { claimsOf, emailSchema } from "./accounts";
import { DEVICE_CLIENT_ID, WEB_CLIENT_ID } from "./description";
import { deviceCodePage, deviceConfirmPage, messagePage } from "./pages";

export const SESSION_COOKIE = "idp_session";

/** As real providers do. Short enough to notice expiry in development. */
const ID_TOKEN_SECONDS = 3600;

export interface ProviderOptions {
  /** Exact `iss`, without trailing slash. */
  issuer: string;
  /** Private RS256 signing keys, the same after a restart. */
  signingKeys: JWK[];
  cookieKey: string;
  /** Origins (scheme, host, port) that may receive tokens and send requests from a browser. */
  clientOrigins: readonly string[];
}

/**
 * Creates the development identity provider: implicit `id_token` (fragment, nonce) for browsers and the device flow for
 * agents, RS256, any address. State is in memory: only the keys survive a restart.
 */
export function createProvider(options: ProviderOptions): Provider {
  const provider = new Provider(options.issuer, configuration(options));
  const origins = new Set(options.clientOrigins);

  // Development needs callbacks on any page of a known origin, http and localhost included. The library's registration
  // of implicit clients refuses those.
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
        // A placeholder: registration refuses http and localhost; `redirectUriAllowed` above decides.
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
    // Everyone consents to everything here: the one grant is created on the fly.
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
            "Return to your agent. It continues automatically. You can close this page.",
          );
        },
      },
    },
    renderError: (ctx, out) => {
      ctx.type = "html";
      ctx.body = messagePage("That did not work", out.error_description ?? out.error);
    },
    // Cookies ignore ports: our own names keep them apart from other programs on localhost.
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
