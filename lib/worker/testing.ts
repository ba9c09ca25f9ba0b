import { viewerMeta } from "@/lib/client/saved";

/** STUB of a browser's CacheStorage: the part the worker uses. @param origin of the worker */
export function memoryCaches(origin = "https://parley.example") {
  const named = new Map<string, MemoryCache>();
  return {
    keys: async () => [...named.keys()],
    delete: async (name: string) => named.delete(name),
    open: async (name: string) => {
      const cache = named.get(name) ?? new MemoryCache(origin);
      named.set(name, cache);
      return cache;
    },
    match: async (key: Key) => {
      for (const cache of named.values()) {
        const found = await cache.match(key);
        if (found) return found;
      }
      return undefined;
    },
  };
}

type Key = string | { readonly url: string };

class MemoryCache {
  readonly #entries = new Map<string, Response>();
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }
  #address(key: Key): string {
    return new URL(typeof key === "string" ? key : key.url, this.#origin).href;
  }
  async put(key: Key, response: Response) {
    this.#entries.delete(this.#address(key));
    this.#entries.set(this.#address(key), response);
  }
  async match(key: Key) {
    return this.#entries.get(this.#address(key))?.clone();
  }
  async delete(key: Key) {
    return this.#entries.delete(this.#address(key));
  }
  async keys() {
    return [...this.#entries.keys()].map((url) => ({ url }));
  }
}

/** A page as the app returns it to a reader. */
export function pageOf(owner: string | null, text = "text", init: ResponseInit = {}): Response {
  const meta = owner ? `<meta name="${viewerMeta}" content="${owner}"/>` : "";
  const html = `<!DOCTYPE html><html><head>${meta}<title>${text}</title></head><body>${text}</body></html>`;
  const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": "nonce-1" };
  return ofThisOrigin(new Response(html, { headers, ...init }));
}

/** Gives a response the type of a same-origin one; constructed responses are "default". */
function ofThisOrigin(response: Response): Response {
  const clone = response.clone.bind(response);
  response.clone = () => ofThisOrigin(clone());
  return Object.defineProperty(response, "type", { value: "basic" });
}
