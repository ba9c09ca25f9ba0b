import type { Caller, Context } from "@/lib/context";
import type { Services } from "@/lib/runtime/assemble";
import { clientLabel } from "@/lib/session/client-label";
import type { SessionEffects } from "@/lib/session/context";
import { sessionCookie } from "@/lib/session/cookie";
import { createRelayTies } from "@/lib/session/relay/ties";
import type { HeaderReader } from "./incoming";

/** Makes the context of community functions for one caller. */
export function makeContext(services: Services, caller: Caller | null): Context {
  const {
    db,
    cache,
    storage,
    web,
    live,
    push,
    recorder,
    deployment,
    adminUserIds,
    acceptProof,
    anonymous,
    facts,
    webhookSecretOf,
    apps,
    trust,
    now,
    later,
    changed,
  } = services;
  return {
    caller,
    db,
    cache,
    storage,
    web,
    live,
    push,
    recorder,
    deployment,
    adminUserIds,
    acceptProof,
    anonymous,
    facts,
    webhookSecretOf,
    apps,
    trust,
    now,
    later,
    changed,
  };
}

/** Makes the session effects of a request: changes to the caller's session, as cookies of the response. */
export function sessionEffects(
  { tokens, config, deployment }: Pick<Services, "tokens" | "config" | "deployment">,
  request: HeaderReader,
  answer: Headers,
): SessionEffects {
  const secure = deployment.services.appUrl.startsWith("https:");
  const setCookie = (value: string) => answer.append("set-cookie", value);
  const userAgent = request.get("user-agent");
  return {
    // Only sign-ins read it, and parsing takes longer than most of what other requests do.
    get client() {
      return clientLabel(userAgent);
    },
    tokens,
    bearer: request.has("authorization"),
    setToken: (token) => setCookie(sessionCookie(token, secure)),
    clear: () => setCookie(sessionCookie(null, secure)),
    relay: createRelayTies({
      secrets: config.sessionSecrets,
      secure,
      cookies: request.get("cookie"),
      setCookie,
    }),
  };
}
