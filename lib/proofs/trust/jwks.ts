import { base64url } from "jose";
import { bytesToBigInt } from "viem";
import { z } from "zod";

/** The fields we read of an issuer's public key (RFC 7517). */
export const jwkSchema = z.object({
  kty: z.string(),
  kid: z.string().optional(),
  use: z.string().optional(),
  alg: z.string().optional(),
  n: z.string().optional(),
  e: z.string().optional(),
  /** Microsoft: the issuer that this key may sign for, possibly with `{tenantid}`. */
  issuer: z.string().optional(),
});
export type Jwk = z.infer<typeof jwkSchema>;

export const jwkSetSchema = z.object({ keys: z.array(jwkSchema).max(100) });
export type JwkSet = z.infer<typeof jwkSetSchema>;

const TENANT = "{tenantid}";
const TENANT_PATTERN = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

/**
 * Returns whether an `iss` equals the issuer, or is a tenant of a pattern like
 * `https://login.microsoftonline.com/{tenantid}/v2.0`. Everything but the tenant id must match exactly.
 */
export function issuerMatches(pattern: string, iss: string): boolean {
  if (!pattern.includes(TENANT)) return pattern === iss;
  const [before = "", after = "", ...rest] = pattern.split(TENANT);
  if (rest.length > 0 || !iss.startsWith(before) || !iss.endsWith(after)) return false;
  return new RegExp(`^${TENANT_PATTERN}$`).test(iss.slice(before.length, iss.length - after.length));
}

/** Returns the modulus of an RSA-2048 key with e = 65537 for RS256 signatures; null for any other key. */
export function rsa2048Modulus(jwk: Jwk): bigint | null {
  if (jwk.kty !== "RSA" || jwk.e !== "AQAB" || !jwk.n) return null;
  if ((jwk.use ?? "sig") !== "sig" || (jwk.alg ?? "RS256") !== "RS256") return null;
  if (!/^[A-Za-z0-9_-]{342}$/.test(jwk.n)) return null;
  const modulus = bytesToBigInt(base64url.decode(jwk.n));
  return modulus >> 2047n === 1n && modulus % 2n === 1n ? modulus : null;
}
