import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { Refusal } from "@/lib/errors";

/** Global unicast: the only allocated part of IPv6 (IANA; RFC 4291, 2.4). */
const globalUnicast = ipaddr.IPv6.parse("2000::");

/**
 * Returns whether an IP address is on the public internet. Excludes IANA's special-purpose ranges (loopback, private,
 * link-local, carrier-grade NAT, multicast, documentation, benchmarking, …) and IPv6 addresses that embed an IPv4 address
 * (mapped, NAT64, 6to4, Teredo), since those lead to the embedded address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast, 3);
}

/** Which URLs may be fetched, as far as can be checked without resolving the host. */
export interface AddressRule {
  readonly ports: readonly number[];
  readonly allows: (address: string) => boolean;
}

/**
 * Parses a URL to fetch. Removes the fragment and normalizes every notation of an IPv4 address (octal, hexadecimal, one
 * number, short forms).
 * @throws Refusal address_not_allowed naming `field`
 */
export function readAddress(text: string, rule: AddressRule, field: string): URL {
  const refuse = (why: string) => new Refusal("address_not_allowed", { field, message: `${field} ${why}.` });
  if (!URL.canParse(text)) throw refuse("must be an absolute http or https address");
  const url = new URL(text);
  url.hash = "";
  if (url.protocol !== "http:" && url.protocol !== "https:") throw refuse("must be an http or https address");
  if (url.username || url.password) throw refuse("must not carry a name or password");
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  if (!rule.ports.includes(port)) throw refuse("must use port 80 or 443");
  const literal = ipLiteral(url);
  if (literal !== null && !rule.allows(literal)) throw refuse("must be a public address");
  const name = url.hostname.replace(/\.$/, "");
  if (literal === null && /(^|\.)localhost$/.test(name)) throw refuse("must be a public address");
  return url;
}

/** Returns the URL's host if it is an IP address, without brackets; null for a name. */
export function ipLiteral(url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return isIP(host) ? host : null;
}
