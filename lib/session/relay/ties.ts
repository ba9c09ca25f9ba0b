import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { readCookie } from "../cookie";
import { openSealed, seal } from "../sealed";

/** Name of the cookie that ties a proof request to the client that asked. */
const relayCookieName = "zk-community-proof-request";

/** How a proof request belongs to the one client that asked for it. */
export interface RelayTies {
  /** Gives the asking client the request's cookie, which it sends to that request's poll and nowhere else. */
  tie(requestId: string, seconds: number): void;
  /** Whether this request comes from the client that asked. */
  isTied(requestId: string): boolean;
  /** Seals an answer for the asking client: the table alone gives it to nobody. */
  seal(requestId: string, answer: unknown): Promise<string>;
  /** What `seal` sealed, unchecked. */
  open(requestId: string, sealed: string): Promise<unknown>;
}

export interface TieParts {
  readonly secret: Uint8Array;
  /** Whether the site is https. */
  readonly secure: boolean;
  /** The cookie header of the request. */
  readonly cookies: string | null;
  readonly setCookie: (value: string) => void;
}

/**
 * The cookie's value is a keyed hash of the request's id, so nothing of it is kept, and the phone's answer can be sealed
 * under it while the asking client is not there.
 */
export function createRelayTies({ secret, secure, cookies, setCookie }: TieParts): RelayTies {
  const tieOf = (requestId: string): string =>
    createHmac("sha256", secret).update(`proof request\0${requestId}`).digest("base64url");
  const keyOf = (requestId: string): Uint8Array =>
    new Uint8Array(hkdfSync("sha256", secret, tieOf(requestId), "parley proof request answer", 32));
  return {
    tie(requestId, seconds) {
      const attributes = [
        `${relayCookieName}=${tieOf(requestId)}`,
        // Each request has its own, so that two open tabs do not take each other's.
        `Path=/api/auth/poll/${requestId}`,
        "HttpOnly",
        "SameSite=Lax",
      ];
      if (secure) attributes.push("Secure");
      setCookie([...attributes, `Max-Age=${seconds}`].join("; "));
    },
    isTied(requestId) {
      const given = Buffer.from(readCookie(cookies, relayCookieName) ?? "");
      const expected = Buffer.from(tieOf(requestId));
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
    seal: (requestId, answer) => seal(keyOf(requestId), answer),
    open: (requestId, sealed) => openSealed(keyOf(requestId), sealed),
  };
}
