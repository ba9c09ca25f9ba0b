import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { z } from "zod";
import type { ClientInput, OperationSpec } from "@/lib/contract";
import { parseJson } from "@/lib/json";
import { type ApiClientOptions, type ApiError, callAddress, refusalOf } from "./index";
import { type PageLife, pageLife, retryDelay } from "./reach";

/**
 * Follows an operation that returns events. Uses fetch with a parser instead of the browser's EventSource, which
 * gives up for good at the first 429 or 502, hides why, and cannot name the last event it saw when it is recreated.
 */

type Events<S> = S extends { readonly events: infer E extends Readonly<Record<string, z.ZodType>> }
  ? E
  : never;

export type EventOf<S extends OperationSpec> = {
  [K in keyof Events<S> & string]: { readonly name: K; readonly data: z.output<Events<S>[K]> };
}[keyof Events<S> & string];

export type StreamState =
  | { readonly kind: "connecting" | "live" }
  /** No connection; reconnects by itself. */
  | { readonly kind: "offline" }
  /** The page has been hidden for long, or was never visible; resumes when it is shown. */
  | { readonly kind: "paused" }
  /** Ended: the session has ended, or the caller may not (or no longer) follow this. */
  | { readonly kind: "closed"; readonly error: ApiError };

export interface FollowOptions<S extends OperationSpec> extends ApiClientOptions {
  readonly onEvent: (event: EventOf<S>) => void;
  readonly onState?: (state: StreamState) => void;
  /** Id of the last known event. */
  readonly lastEventId?: string | null;
  readonly life?: PageLife;
  readonly timing?: Partial<FollowTiming>;
}

/** Milliseconds. */
export interface FollowTiming {
  /** Before the first reconnect; doubled for each further one, up to `longestDelay`. */
  readonly firstDelay: number;
  readonly longestDelay: number;
  /** After a connection that lasted this long, the next failure starts with the first delay again. */
  readonly settled: number;
  /** Without any byte for this long the connection counts as dead; the server sends a ping every 30 seconds. */
  readonly silence: number;
  /** A page hidden for this long gives up its connection. */
  readonly hidden: number;
}

const usualTiming: FollowTiming = {
  firstDelay: 500,
  longestDelay: 30_000,
  settled: 10_000,
  silence: 70_000,
  hidden: 300_000,
};
/** After these statuses a retry cannot succeed. */
const FINAL_STATUSES: ReadonlySet<number> = new Set([401, 403, 404]);

/**
 * Follows an operation's events until `stop` is called or the server refuses for good (401, 403, 404). Every event is
 * checked against its declaration, and ignored if it does not match. After an interruption it reconnects with the id
 * of the last event, so that no event is lost or repeated.
 * @returns stop
 */
export function followEvents<const S extends OperationSpec>(
  op: S,
  input: ClientInput<S>,
  options: FollowOptions<S>,
): () => void {
  const follower = new Follower(op, input, options);
  follower.begin();
  return () => follower.stop();
}

class Follower<S extends OperationSpec> {
  readonly #timing: FollowTiming;
  readonly #life: PageLife;
  readonly #url: string;
  #lastEventId: string | null;
  /** The open or pending connection. */
  #connection: AbortController | undefined;
  #retryTimer: Timer;
  #hiddenTimer: Timer;
  #silenceTimer: Timer;
  #failures = 0;
  /** Minimum delay that the server asked for. */
  #askedDelay = 0;
  #isOver = false;
  #isPaused = false;
  #unwatch = () => {};
  readonly #op: S;
  readonly #options: FollowOptions<S>;

  constructor(op: S, input: ClientInput<S>, options: FollowOptions<S>) {
    this.#op = op;
    this.#options = options;
    this.#timing = { ...usualTiming, ...options.timing };
    this.#life = options.life ?? pageLife();
    this.#url = `${options.baseUrl ?? ""}${callAddress(op, input).path}`;
    this.#lastEventId = options.lastEventId ?? null;
  }

  begin(): void {
    this.#unwatch = this.#life.onChange(() => this.#update());
    // A tab opened in the background connects only when it is shown: browsers allow six connections per host.
    if (this.#life.isHidden()) {
      this.#pause();
      return;
    }
    void this.#connect();
    this.#update();
  }

  stop(): void {
    this.#isOver = true;
    this.#unwatch();
    this.#drop();
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#hiddenTimer);
  }

  /** Handles a page that was hidden or shown, or a network that came or went. */
  #update(): void {
    clearTimeout(this.#hiddenTimer);
    if (this.#life.isHidden()) {
      this.#hiddenTimer = setTimeout(() => this.#pause(), this.#timing.hidden);
    } else if (this.#isPaused) {
      this.#isPaused = false;
      this.#failures = 0;
      void this.#connect();
    }
    if (this.#isPaused) return;
    if (!this.#life.isOnline()) {
      this.#drop();
      clearTimeout(this.#retryTimer);
      this.#notify({ kind: "offline" });
    } else if (!this.#connection) {
      // The page is visible or the server reachable again: no reason to wait for the rest of the delay.
      void this.#connect();
    }
  }

  #pause(): void {
    this.#isPaused = true;
    this.#drop();
    clearTimeout(this.#retryTimer);
    this.#notify({ kind: "paused" });
  }

  #drop(): void {
    clearTimeout(this.#silenceTimer);
    this.#connection?.abort();
    this.#connection = undefined;
  }

  async #connect(): Promise<void> {
    if (this.#isOver || this.#isPaused || this.#connection) return;
    clearTimeout(this.#retryTimer);
    const connection = new AbortController();
    this.#connection = connection;
    this.#notify({ kind: "connecting" });
    const begun = Date.now();
    let failed = false;
    try {
      await this.#read(connection);
    } catch {
      // The network failed on either side; handled like the end of the stream.
      failed = true;
    }
    if (this.#connection !== connection || this.#isOver) return;
    this.#drop();
    if (failed) this.#life.lost?.();
    if (Date.now() - begun >= this.#timing.settled) this.#failures = 0;
    this.#retry();
  }

  async #read(connection: AbortController): Promise<void> {
    const { signal } = connection;
    const headers = new Headers({ accept: "text/event-stream" });
    if (this.#lastEventId) headers.set("last-event-id", this.#lastEventId);
    const token = this.#options.token?.();
    if (token) headers.set("authorization", `Bearer ${token}`);
    const send = this.#options.fetch ?? fetch;
    this.#expectBytes(connection);
    const response = await send(this.#url, {
      headers,
      signal,
      credentials: "same-origin",
      cache: "no-store",
    });
    if (this.#connection !== connection) return;
    if (!response.ok || !response.body) return await this.#refused(response);
    this.#notify({ kind: "live" });
    const parser = createParser({
      onEvent: (message) => this.#receive(message),
      onRetry: (delay) => {
        this.#askedDelay = delay;
      },
    });
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done || this.#connection !== connection) return;
      this.#expectBytes(connection);
      parser.feed(decoder.decode(value, { stream: true }));
    }
  }

  async #refused(response: Response): Promise<void> {
    const error = refusalOf(response.status, await response.json().catch(() => null));
    const after = Number(response.headers.get("retry-after"));
    if (Number.isFinite(after)) this.#askedDelay = after * 1000;
    if (!FINAL_STATUSES.has(response.status)) return;
    this.stop();
    this.#notify({ kind: "closed", error });
  }

  #receive({ event: name = "message", id, data }: EventSourceMessage): void {
    if (this.#isOver) return;
    if (name === "reset") this.#lastEventId = null;
    else if (id) this.#lastEventId = id;
    const checked = this.#op.events?.[name]?.safeParse(parseJson(data));
    // This operation's declaration checked it; TypeScript cannot follow the name through a generic S.
    if (checked?.success) this.#options.onEvent({ name, data: checked.data } as EventOf<S>);
  }

  #expectBytes(connection: AbortController): void {
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = setTimeout(() => connection.abort(), this.#timing.silence);
  }

  #retry(): void {
    this.#notify({ kind: "offline" });
    const delay = retryDelay(this.#failures, this.#timing);
    this.#failures += 1;
    this.#retryTimer = setTimeout(() => void this.#connect(), Math.max(delay, this.#askedDelay));
    this.#askedDelay = 0;
  }

  #notify(state: StreamState): void {
    this.#options.onState?.(state);
  }
}

type Timer = ReturnType<typeof setTimeout> | undefined;
