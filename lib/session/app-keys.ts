import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { AppKeys } from "@/lib/context/apps";

/** Makes what the apps of an installation need of its secret. @param secret USER_ID_SECRET */
export function createAppKeys(secret: Uint8Array): AppKeys {
  const key = (label: string) => new Uint8Array(hkdfSync("sha256", secret, "", `parley apps: ${label}`, 32));
  // NUL separates the parts: none has one.
  const tag = (label: string) => {
    const its = key(label);
    return (...parts: readonly string[]) =>
      createHmac("sha256", its).update(parts.join("\0")).digest("base64url");
  };
  const [secretOf, subjectOf, ticketOf] = [tag("secrets"), tag("subjects"), tag("tickets")];
  return {
    secretOf: (clientId, version) => secretOf(clientId, String(version)),
    subjectOf,
    ticketOf,
    isTicket(given, requestId, userId) {
      const [a, b] = [Buffer.from(given), Buffer.from(ticketOf(requestId, userId))];
      return a.length === b.length && timingSafeEqual(a, b);
    },
    sealingKey: key("signing keys"),
  };
}
