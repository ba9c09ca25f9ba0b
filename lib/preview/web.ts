import { lookup } from "node:dns/promises";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import pTimeout from "p-timeout";
import { isRefusal, Refusal } from "@/lib/errors";
import { type AddressRule, ipLiteral, isPublicAddress, readAddress } from "./address";

/** Sends requests to public addresses only. */
export interface PublicWeb {
  /** Parses a URL to fetch. @throws Refusal address_not_allowed naming `field` */
  read(address: string, field: string): URL;
  /** GETs a URL of `read`, without credentials, over at most three redirects. @throws Refusal upstream_failed */
  get(url: URL, accept: string): Promise<WebAnswer>;
  /** POSTs to a URL of `read`; follows no redirect and reads no body. @throws Refusal upstream_failed */
  post(url: URL, message: WebMessage): Promise<WebReceipt>;
}

interface WebMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface WebReceipt {
  readonly status: number;
  readonly retryAfter: string | null;
}

/** A response with an unread body. Call `close` when done with it. */
export interface WebAnswer {
  /** URL after redirects. */
  readonly url: URL;
  readonly contentType: string;
  /** Bytes, if the server declares them. */
  readonly length: number | null;
  /** Iterating throws Refusal upstream_failed if the server fails or the timeout passes. */
  readonly body: AsyncIterableIterator<Uint8Array>;
  close(): void;
}

interface HostAddress {
  readonly address: string;
  readonly family: number;
}

export interface WebOptions extends Partial<AddressRule> {
  /** Resolves a host name to all its addresses. */
  readonly resolve?: (host: string) => Promise<readonly HostAddress[]>;
  /** Timeout for everything together: DNS, redirects, body. */
  readonly timeoutMs?: number;
}

const maxRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Makes a client that prevents server-side request forgery (SSRF). Every resolved address must be public, and the request
 * connects to the checked address without resolving the name again, so a changing DNS answer has no effect. Redirects are
 * checked in the same way.
 *
 * Uses Node's http client because its `lookup` option sets the address to connect to. `fetch` would need undici's Agent,
 * which Node does not export.
 */
export function publicWeb(options: WebOptions = {}): PublicWeb {
  const { resolve = (host) => lookup(host, { all: true }), timeoutMs = 5_000 } = options;
  const rule = { ports: options.ports ?? [80, 443], allows: options.allows ?? isPublicAddress };

  /** @throws Refusal upstream_failed, the same for a private name as for one that does not exist */
  async function addressesOf(url: URL): Promise<readonly HostAddress[]> {
    const literal = ipLiteral(url);
    if (literal !== null) return [{ address: literal, family: literal.includes(":") ? 6 : 4 }];
    const found = await resolve(url.hostname);
    if (found.length === 0 || !found.every(({ address }) => rule.allows(address))) throw failed();
    return found;
  }

  async function follow(start: URL, accept: string, signal: AbortSignal): Promise<WebAnswer> {
    let url = start;
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      const addresses = await withSignal(addressesOf(url), signal);
      const headers = { accept, "accept-encoding": "identity", "user-agent": "Parley link preview" };
      const response = await dial(url, addresses, { method: "GET", headers }, signal);
      const { statusCode = 0 } = response;
      if (statusCode === 200) return answerOf(url, response);
      response.destroy();
      const given = response.headers.location;
      if (!redirects.has(statusCode) || !given) throw failed();
      // Node decodes headers as Latin-1; servers write URLs in UTF-8.
      const location = Buffer.from(given, "latin1").toString();
      url = readAddress(new URL(location, url).href, rule, "url");
    }
    throw failed();
  }

  async function send(url: URL, { headers, body }: WebMessage, signal: AbortSignal): Promise<WebReceipt> {
    const addresses = await withSignal(addressesOf(url), signal);
    const sent: OutgoingRequest = { method: "POST", headers: { ...headers, "user-agent": "Parley" }, body };
    const response = await dial(url, addresses, sent, signal);
    response.destroy();
    return { status: response.statusCode ?? 0, retryAfter: response.headers["retry-after"] ?? null };
  }

  return {
    read: (address, field) => readAddress(address, rule, field),
    get: (url, accept) => follow(url, accept, AbortSignal.timeout(timeoutMs)).catch(fail),
    post: (url, message) => send(url, message, AbortSignal.timeout(timeoutMs)).catch(fail),
  };
}

/** Throws upstream_failed for any error: a redirect to a forbidden URL is the server's fault, not the caller's. */
function fail(error: unknown): never {
  throw isRefusal(error) && error.code === "upstream_failed" ? error : failed(error);
}

function failed(cause?: unknown): Refusal {
  return new Refusal("upstream_failed", { cause });
}

const withSignal = <T>(work: Promise<T>, signal: AbortSignal) =>
  pTimeout(work, { milliseconds: Number.POSITIVE_INFINITY, signal });

interface OutgoingRequest extends Partial<WebMessage> {
  readonly method: "GET" | "POST";
}

async function dial(
  url: URL,
  addresses: readonly HostAddress[],
  { method, headers, body }: OutgoingRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const checked: LookupFunction = (_host, { all }, done) => {
    const [first] = addresses;
    if (all) done(null, [...addresses]);
    else if (first) done(null, first.address, first.family);
  };
  return await new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? https : http).request(
      url,
      {
        // A new connection that is not reused for another host.
        agent: false,
        lookup: checked,
        signal,
        method,
        headers,
      },
      resolve,
    );
    request.on("error", reject);
    request.end(body);
  });
}

function answerOf(url: URL, response: IncomingMessage): WebAnswer {
  const { "content-type": contentType = "", "content-length": length, ...headers } = response.headers;
  // The request excluded compression: a compressed megabyte may expand to a gigabyte.
  if ((headers["content-encoding"] ?? "identity") !== "identity") {
    response.destroy();
    throw failed();
  }
  async function* body(): AsyncGenerator<Uint8Array, void> {
    try {
      for await (const chunk of response) yield chunk;
    } catch (error) {
      throw failed(error);
    }
  }
  return {
    url,
    contentType,
    length: length === undefined ? null : Number(length),
    body: body(),
    close: () => void response.destroy(),
  };
}
