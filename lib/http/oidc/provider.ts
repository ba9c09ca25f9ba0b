import { type Configuration, type KoaContextWithOIDC, Provider } from "oidc-provider";
import { z } from "zod";
import { appClaims } from "@/lib/contract/app-claims";
import { log } from "@/lib/log";
import type { Services } from "@/lib/runtime/assemble";
import { signingKeys } from "@/lib/session/signing-keys";
import { isAllowedUser } from "./clients";
import { AUTHORIZE, REQUEST_COOKIE, RESUME_COOKIE, SESSION_COOKIE } from "./names";
import { oidcStore } from "./store";

/** A request waits this long: a person may have to sign in, and to prove something, first. */
const REQUEST_SECONDS = 3600;
/** What follows a decision. */
const TOKEN_SECONDS = 600;
const CODE_SECONDS = 60;

const told = z.object({
  domain: z.string().optional(),
  country_in: z.array(z.string()).optional(),
  human: z.literal(true).optional(),
});

/**
 * Creates the OpenID provider of this installation: code flow with PKCE, an id per app for each person, and claims that are
 * exactly what the person was shown and allowed (lib/community/apps). It keeps no session and no list of consents.
 */
export async function createOidcProvider(services: Services): Promise<Provider> {
  const { appUrl } = services.deployment.services;
  const provider = new Provider(appUrl, await configuration(services));
  provider.on("server_error", (ctx, err) => log.error({ err, path: ctx.path }, "sign-in to an app failed"));
  return provider;
}

async function configuration(services: Services): Promise<Configuration> {
  const { cache } = services;
  const toldKey = (grantId: string) => `oidc:told:${grantId}`;
  return {
    adapter: oidcStore(services),
    jwks: { keys: [...(await signingKeys(services))] },
    routes: {
      authorization: "/oidc/auth",
      token: "/oidc/token",
      jwks: "/oidc/jwks",
      userinfo: "/oidc/userinfo",
    },
    scopes: ["openid", ...appClaims],
    claims: { openid: ["sub"], ...Object.fromEntries(appClaims.map((claim) => [claim, [claim]])) },
    // What was consented to is in the identity token, so that an app needs no further request.
    conformIdTokenClaims: false,
    responseTypes: ["code"],
    subjectTypes: ["pairwise"],
    pairwiseIdentifier: (_ctx, userId, { clientId }) => services.apps.subjectOf(clientId, userId),
    clientAuthMethods: ["client_secret_basic", "client_secret_post", "none"],
    pkce: { required: () => true },
    enabledJWA: { idTokenSigningAlgValues: ["RS256"] },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      resourceIndicators: { enabled: false },
      claimsParameter: { enabled: true },
      userinfo: { enabled: true },
    },
    interactions: { url: (_ctx, { uid }) => `${AUTHORIZE}/${uid}` },
    // Reached only with the answer of a person, since no session is kept. It is the grant of this one sign-in.
    async loadExistingGrant(ctx) {
      const { client, session, params, result } = ctx.oidc;
      const grant = new ctx.oidc.provider.Grant({
        clientId: client?.clientId,
        accountId: session?.accountId,
      });
      grant.addOIDCScope(String(params?.scope));
      grant.addOIDCClaims([...appClaims]);
      const grantId = await grant.save();
      await cache.set(toldKey(grantId), JSON.stringify(told.parse(result?.told)), TOKEN_SECONDS);
      return grant;
    },
    async findAccount(_ctx, userId, token) {
      if (!(await isAllowedUser(services, userId))) return undefined;
      const grantId = token && "grantId" in token ? token.grantId : undefined;
      const text = grantId === undefined ? null : await cache.get(toldKey(grantId));
      const claims = text === null ? {} : told.parse(JSON.parse(text));
      return { accountId: userId, claims: () => ({ sub: userId, ...claims }) };
    },
    // Apps in browsers exchange codes themselves, from the origin of their addresses.
    clientBasedCORS: (_ctx, origin, client) =>
      client.redirectUris?.some((uri) => new URL(uri).origin === origin) ?? false,
    expiresWithSession: () => false,
    renderError: showProblem,
    // They hold random ids of what is stored here, to which a signature would add nothing.
    cookies: {
      ...{ short: { signed: false }, long: { signed: false } },
      names: { session: SESSION_COOKIE, interaction: REQUEST_COOKIE, resume: RESUME_COOKIE },
    },
    ttl: {
      Interaction: REQUEST_SECONDS,
      Session: REQUEST_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      ...{ AccessToken: TOKEN_SECONDS, IdToken: TOKEN_SECONDS, Grant: TOKEN_SECONDS },
    },
  };
}

/** What keeps an app's request from being answered, where the answer cannot go to the app: a page says it. */
function showProblem(ctx: KoaContextWithOIDC, out: { readonly error: string }): void {
  ctx.redirect(`${AUTHORIZE}?${new URLSearchParams({ problem: out.error })}`);
}
