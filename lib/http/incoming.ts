/** Decoded parameters of a path. */
export type PathParams = Readonly<Record<string, string | string[] | undefined>>;

/** Reads headers by name in lower case. A web `Headers` is one. */
export type HeaderReader = Pick<Headers, "get" | "has">;

/** The bytes of a body, one part after the other. */
export interface BodyReader {
  /** @returns null at the end */
  read(): Promise<Uint8Array | null>;
  /** Gives up the rest. */
  cancel(): Promise<void>;
}

/** A request as the API sees it, whichever server received it. */
export interface Incoming {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: HeaderReader;
  readonly params: PathParams;
  /** Null for a request without body. */
  readonly body: BodyReader | null;
}

/** Reads a web request, as Next passes it to route handlers. */
export function incomingOf(request: Request, params: PathParams): Incoming {
  const { method, headers } = request;
  const { pathname, search } = new URL(request.url);
  return { method, url: pathname + search, headers, params, body: readerOf(request) };
}

/** Reads the body of a web request. */
export function readerOf({ body }: Request): BodyReader | null {
  if (!body) return null;
  const reader = body.getReader();
  return {
    async read() {
      const { done, value } = await reader.read();
      return done ? null : value;
    },
    cancel: () => reader.cancel(),
  };
}
