import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { errors } from "jose";
import type { RotatingSecrets } from "@/lib/settings/keys";
import { readCookie, setCookieHeader } from "../cookie";
import { openSealed, seal } from "../sealed";

/** Name of the cookie that ties a proof request to the client that made it. */
export const proofRequestCookie = "zk-community-proof-request";

/** How a proof request belongs to the client that made it. */
export interface RelayTies {
  /** Sets the request's cookie on the requesting client, which sends it only when it polls that request. */
  tie(requestId: string, seconds: number): void;
  /** Returns whether this client made the proof request. */
  isTied(requestId: string): boolean;
  /** Seals an answer for the requesting client: the table alone reveals it to no one. */
  seal(requestId: string, answer: unknown): Promise<string>;
  /** Opens what `seal` sealed, unchecked. */
  open(requestId: string, sealed: string): Promise<unknown>;
}

export interface TieParts {
  readonly secrets: RotatingSecrets;
  /** Whether the site is https. */
  readonly secure: boolean;
  /** The cookie header of the request. */
  readonly cookies: string | null;
  readonly setCookie: (value: string) => void;
}

/**
 * Makes the ties of a request. The cookie's value is a keyed hash of the proof request's id, so it needs no storage,
 * and the phone's answer can be sealed under it without the requesting client.
 */
export function createRelayTies({ secrets, secure, cookies, setCookie }: TieParts): RelayTies {
  const [current] = secrets;
  const tieOf = (requestId: string, secret: Uint8Array): string =>
    createHmac("sha256", secret).update(`proof request\0${requestId}`).digest("base64url");
  const keyOf = (requestId: string, secret: Uint8Array): Uint8Array =>
    new Uint8Array(hkdfSync("sha256", secret, tieOf(requestId, secret), "parley proof request answer", 32));
  return {
    tie(requestId, seconds) {
      // Each proof request has its own path, so that two open tabs do not overwrite each other's cookie.
      const path = `/api/auth/poll/${requestId}`;
      setCookie(
        setCookieHeader(`${proofRequestCookie}=${tieOf(requestId, current)}`, {
          path,
          secure,
          maxAge: seconds,
        }),
      );
    },
    isTied(requestId) {
      const given = Buffer.from(readCookie(cookies, proofRequestCookie) ?? "");
      return secrets.some((secret) => {
        const expected = Buffer.from(tieOf(requestId, secret));
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
    },
    seal: (requestId, answer) => seal(keyOf(requestId, current), answer),
    async open(requestId, sealed) {
      let failed: unknown;
      for (const secret of secrets) {
        try {
          return await openSealed(keyOf(requestId, secret), sealed);
        } catch (error) {
          if (!(error instanceof errors.JOSEError)) throw error;
          failed = error;
        }
      }
      throw failed;
    },
  };
}
