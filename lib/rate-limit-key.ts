import ipaddr from "ipaddr.js";

/** What limits count of one who asks. */
export interface RateLimitKeys {
  /** An IPv4 address, or an IPv6 /64: what one household or machine gets to choose addresses from. */
  key: string;
  /** For IPv6 the /48 around it, which one customer may get: 65,536 of the former. */
  site?: string;
}

/** How many times the budget of one key its site has. */
export const siteFactor = 16;

/**
 * The keys an IP address is counted by, the same however it is written. What is no address is its own key, cut at 64
 * characters.
 */
export function rateLimitKeys(address: string): RateLimitKeys {
  if (!ipaddr.isValid(address)) return { key: address.slice(0, 64) };
  // An IPv4 address inside IPv6 (::ffff:192.0.2.1) is that IPv4 address.
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return { key: parsed.toString() };
  const prefix = (bits: number) =>
    `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString().split("%")[0]}/${bits}`)}/${bits}`;
  return { key: prefix(64), site: prefix(48) };
}
