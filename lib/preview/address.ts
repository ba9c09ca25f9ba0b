import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { Refusal } from "@/lib/errors";

/** Global unicast: the only part of IPv6 that is handed out (IANA; RFC 4291, 2.4). */
const globalUnicast = ipaddr.IPv6.parse("2000::");

/**
 * Whether an IP address is one of the public internet: none of the special-purpose ranges of IANA (loopback, private,
 * link-local, carrier-grade NAT, multicast, documentation, benchmarking, …), and no IPv6 form that carries an IPv4
 * address inside (mapped, NAT64, 6to4, Teredo), since those end where the inner address says.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast, 3);
}

/** What may be fetched, so far as an address shows it before anybody is asked for its host. */
export interface AddressRule {
  readonly ports: readonly number[];
  readonly allows: (address: string) => boolean;
}

/**
 * Reads an address somebody wants fetched. The fragment goes; every spelling of an IPv4 address (octal, hexadecimal,
 * one number, short forms) becomes the usual one.
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

/** The IP address a URL's host is, without brackets; null for a name. */
export function ipLiteral(url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return isIP(host) ? host : null;
}
