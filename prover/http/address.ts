import { isIPv6 } from "node:net";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";

/**
 * Who asks, for counting requests. An IPv6 address counts as its /64, which is what one household or machine gets.
 * @param trustedProxies proxies of the operator in front: as many entries at the end of X-Forwarded-For are theirs, the
 *   first of which names the client. 0: the header is not read, since anybody could write it.
 */
export function clientAddress(c: Context, trustedProxies: number): string {
  const peer = getConnInfo(c).remote.address ?? "unknown";
  if (trustedProxies === 0) return network(peer);
  const hops = (c.req.header("x-forwarded-for") ?? "").split(",").map((each) => each.trim());
  return network(hops.at(-trustedProxies) || peer);
}

function network(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (!isIPv6(plain)) return plain;
  const [head = "", tail] = plain.split("%")[0]?.split("::") ?? [];
  const front = head.split(":").filter(Boolean);
  const back = (tail ?? "").split(":").filter(Boolean);
  const zeros = Array<string>(Math.max(0, 8 - front.length - back.length)).fill("0");
  return [...front, ...zeros, ...back]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
