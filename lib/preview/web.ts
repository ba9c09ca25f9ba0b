import { lookup } from "node:dns/promises";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import { isRefusal, Refusal } from "@/lib/errors";
import { type AddressRule, ipLiteral, isPublicAddress, readAddress } from "./address";

/** Fetches from public addresses, and from nowhere else. */
export interface PublicWeb {
  /** The address as it is fetched. @throws Refusal address_not_allowed naming `field` */
  read(address: string, field: string): URL;
  /**
   * GETs an address that `read` returned, following at most three redirects. Sends no cookie and no credentials.
   * @throws Refusal upstream_failed for anything but a success
   */
  get(url: URL, accept: string): Promise<WebAnswer>;
  /**
   * POSTs to an address that `read` returned. A redirect is an answer like any other, and not followed; nothing of the
   * answer's body is read.
   * @throws Refusal upstream_failed when nothing answered in time
   */
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

/** An answer whose body is still to be read; call `close` when no more of it is wanted. */
export interface WebAnswer {
  /** Where it came from, after redirects. */
  readonly url: URL;
  readonly contentType: string;
  /** Bytes, as far as the server says. */
  readonly length: number | null;
  /** @throws Refusal upstream_failed while iterating, when the server fails or time runs out */
  readonly body: AsyncIterableIterator<Uint8Array>;
  close(): void;
}

interface HostAddress {
  readonly address: string;
  readonly family: number;
}

export interface WebOptions extends Partial<AddressRule> {
  /** All addresses of a host name. */
  readonly resolve?: (host: string) => Promise<readonly HostAddress[]>;
  /** For everything together: names, redirects, the body. */
  readonly timeoutMs?: number;
}

const maxRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Makes the fetcher. Against requests forged through us (SSRF) every resolved address must be public, and the checked
 * address itself is dialled: the name is not resolved a second time, so an answer that changes in between changes
 * nothing. Each redirect goes through the same.
 *
 * Node's own client and not `fetch`: its `lookup` says which address is dialled, which needs undici's Agent there, and
 * the undici inside Node does not export it.
 */
export function publicWeb(options: WebOptions = {}): PublicWeb {
  const { resolve = (host) => lookup(host, { all: true }), timeoutMs = 5_000 } = options;
  const rule = { ports: options.ports ?? [80, 443], allows: options.allows ?? isPublicAddress };

  /** @throws Refusal upstream_failed; the same for a name that is private and one that does not exist */
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
      const {
        statusCode = 0,
        headers: { location: given },
      } = response;
      if (statusCode === 200) return answerOf(url, response);
      response.destroy();
      if (!redirects.has(statusCode) || !given) throw failed();
      // Node reads headers as Latin-1; servers write addresses in UTF-8.
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
    async get(url, accept) {
      try {
        return await follow(url, accept, AbortSignal.timeout(timeoutMs));
      } catch (error) {
        // Where a redirect led is the other server's doing, not a mistake of the caller.
        throw isRefusal(error) && error.code === "upstream_failed" ? error : failed(error);
      }
    },
    async post(url, message) {
      try {
        return await send(url, message, AbortSignal.timeout(timeoutMs));
      } catch (error) {
        throw isRefusal(error) ? error : failed(error);
      }
    },
  };
}

function failed(cause?: unknown): Refusal {
  return new Refusal("upstream_failed", { cause });
}

async function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  return await Promise.race([work, aborted]);
}

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
        // A connection of its own: none is shared with, or left for, another host.
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
  // We said we take none; and a compressed megabyte may be a gigabyte.
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
    close: () => {
      response.destroy();
    },
  };
}
