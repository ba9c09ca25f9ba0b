import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { z } from "zod";
import type { ClientInput, OperationSpec } from "@/lib/contract";
import { parseJson } from "@/lib/json";
import { callAddress } from "./address";
import { type ApiError, refusalOf } from "./error";
import { type PageLife, pageLife } from "./life";

/**
 * Following an operation that answers with events. It is fetch with a parser and not the browser's EventSource: that
 * one gives up for good at the first 429 or 502, hides why, and cannot name the last event it saw when it is made anew.
 */

type Events<S> = S extends { readonly events: infer E extends Readonly<Record<string, z.ZodType>> }
  ? E
  : never;

/** An event of an operation, by name. */
export type EventOf<S extends OperationSpec> = {
  [K in keyof Events<S> & string]: { readonly name: K; readonly data: z.output<Events<S>[K]> };
}[keyof Events<S> & string];

export type StreamState =
  | { readonly kind: "connecting" | "live" }
  /** No connection; tried again by itself. */
  | { readonly kind: "offline" }
  /** The page has been out of sight for long, or was never in it; goes on when it is seen. */
  | { readonly kind: "paused" }
  /** Over: the session ended, or the caller may not follow this (any more). */
  | { readonly kind: "closed"; readonly error: ApiError };

export interface FollowOptions<S extends OperationSpec> {
  readonly onEvent: (event: EventOf<S>) => void;
  readonly onState?: (state: StreamState) => void;
  /** Id of the last event that is known already. */
  readonly lastEventId?: string | null;
  /** As for createClient; empty in the browser. */
  readonly baseUrl?: string;
  readonly token?: () => string | undefined;
  readonly fetch?: typeof fetch;
  readonly life?: PageLife;
  readonly timing?: Partial<FollowTiming>;
}

/** Milliseconds. */
export interface FollowTiming {
  /** Before the first new try; doubled for each further one, up to `longestDelay`. */
  readonly firstDelay: number;
  readonly longestDelay: number;
  /** A connection that held this long was a good one: the next failure begins with the first delay. */
  readonly settled: number;
  /** Without any byte for this long the connection is dead; the server sends a ping every 30 seconds. */
  readonly silence: number;
  /** Out of sight for this long, the connection is given back. */
  readonly hidden: number;
}

const usualTiming: FollowTiming = {
  firstDelay: 500,
  longestDelay: 30_000,
  settled: 10_000,
  silence: 70_000,
  hidden: 300_000,
};
/** After these nothing will be different by asking again. */
const final: ReadonlySet<number> = new Set([401, 403, 404]);

/**
 * Follows an operation's events until `stop` is called or the server refuses for good (401, 403, 404). Every event is
 * checked against its declaration; one that does not fit is left out. After an interruption it connects again and names
 * the last event it had, so that nothing is missed and nothing comes twice.
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
  private readonly timing: FollowTiming;
  private readonly life: PageLife;
  private readonly url: string;
  private lastEventId: string | null;
  /** The connection there is, or is being made. */
  private connection: AbortController | undefined;
  private retryTimer: Timer;
  private hiddenTimer: Timer;
  private silenceTimer: Timer;
  private failures = 0;
  /** Least delay the server asked for. */
  private askedDelay = 0;
  private over = false;
  private paused = false;
  private unwatch = () => {};

  constructor(
    private readonly op: S,
    input: ClientInput<S>,
    private readonly options: FollowOptions<S>,
  ) {
    this.timing = { ...usualTiming, ...options.timing };
    this.life = options.life ?? pageLife();
    this.url = `${options.baseUrl ?? ""}${callAddress(op, input).path}`;
    this.lastEventId = options.lastEventId ?? null;
  }

  begin(): void {
    this.unwatch = this.life.onChange(() => this.look());
    // A tab opened in the background takes no connection before it is looked at: browsers have six for one host.
    if (this.life.isHidden()) {
      this.pause();
      return;
    }
    void this.connect();
    this.look();
  }

  stop(): void {
    this.over = true;
    this.unwatch();
    this.drop();
    clearTimeout(this.retryTimer);
    clearTimeout(this.hiddenTimer);
  }

  /** The page was hidden or shown, or the network came or went. */
  private look(): void {
    clearTimeout(this.hiddenTimer);
    if (this.life.isHidden()) {
      this.hiddenTimer = setTimeout(() => this.pause(), this.timing.hidden);
    } else if (this.paused) {
      this.paused = false;
      this.failures = 0;
      void this.connect();
    }
    if (this.paused) return;
    if (!this.life.isOnline()) {
      this.drop();
      clearTimeout(this.retryTimer);
      this.tell({ kind: "offline" });
    } else if (!this.connection) {
      // Seen again, or the server answers again: there is no reason to wait for the rest of the delay.
      void this.connect();
    }
  }

  private pause(): void {
    this.paused = true;
    this.drop();
    clearTimeout(this.retryTimer);
    this.tell({ kind: "paused" });
  }

  private drop(): void {
    clearTimeout(this.silenceTimer);
    this.connection?.abort();
    this.connection = undefined;
  }

  private async connect(): Promise<void> {
    if (this.over || this.paused || this.connection) return;
    clearTimeout(this.retryTimer);
    const connection = new AbortController();
    this.connection = connection;
    this.tell({ kind: "connecting" });
    const begun = Date.now();
    let failed = false;
    try {
      await this.read(connection);
    } catch {
      // The network failed, here or on the way; what to do about it is the same as about an end.
      failed = true;
    }
    if (this.connection !== connection || this.over) return;
    this.drop();
    if (failed) this.life.lost?.();
    if (Date.now() - begun >= this.timing.settled) this.failures = 0;
    this.retry();
  }

  private async read(connection: AbortController): Promise<void> {
    const { signal } = connection;
    const headers = new Headers({ accept: "text/event-stream" });
    if (this.lastEventId) headers.set("last-event-id", this.lastEventId);
    const token = this.options.token?.();
    if (token) headers.set("authorization", `Bearer ${token}`);
    const send = this.options.fetch ?? fetch;
    this.expectBytes(connection);
    const response = await send(this.url, {
      headers,
      signal,
      credentials: "same-origin",
      cache: "no-store",
    });
    if (this.connection !== connection) return;
    if (!response.ok || !response.body) return await this.refused(response);
    this.tell({ kind: "live" });
    const parser = createParser({
      onEvent: (message) => this.take(message),
      onRetry: (delay) => {
        this.askedDelay = delay;
      },
    });
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done || this.connection !== connection) return;
      this.expectBytes(connection);
      parser.feed(decoder.decode(value, { stream: true }));
    }
  }

  private async refused(response: Response): Promise<void> {
    const error = refusalOf(response.status, await response.json().catch(() => null));
    const after = Number(response.headers.get("retry-after"));
    if (Number.isFinite(after)) this.askedDelay = after * 1000;
    if (!final.has(response.status)) return;
    this.stop();
    this.tell({ kind: "closed", error });
  }

  private take({ event: name = "message", id, data }: EventSourceMessage): void {
    if (this.over) return;
    if (name === "reset") this.lastEventId = null;
    else if (id) this.lastEventId = id;
    const checked = this.op.events?.[name]?.safeParse(parseJson(data));
    // The declaration of this very operation checked it; TypeScript cannot follow the name through a generic S.
    if (checked?.success) this.options.onEvent({ name, data: checked.data } as EventOf<S>);
  }

  private expectBytes(connection: AbortController): void {
    clearTimeout(this.silenceTimer);
    this.silenceTimer = setTimeout(() => connection.abort(), this.timing.silence);
  }

  private retry(): void {
    this.tell({ kind: "offline" });
    const { firstDelay, longestDelay } = this.timing;
    const delay = Math.min(longestDelay, firstDelay * 2 ** Math.min(this.failures, 16));
    this.failures += 1;
    // Jitter, or everybody whom one server lost would come back to the next one at once.
    const jittered = delay * (0.5 + Math.random());
    this.retryTimer = setTimeout(() => void this.connect(), Math.max(jittered, this.askedDelay));
    this.askedDelay = 0;
  }

  private tell(state: StreamState): void {
    this.options.onState?.(state);
  }
}

type Timer = ReturnType<typeof setTimeout> | undefined;
