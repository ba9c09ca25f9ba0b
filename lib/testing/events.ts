import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { OperationSpec } from "@/lib/contract";
import type { Harness } from "./harness";

export interface OpenEventsOptions {
  readonly token?: string;
  /** Id of the last event the client has. */
  readonly lastEventId?: string;
}

/** An event of a stream, checked against its declaration. */
export interface StreamEvent<Name extends string = string, Data = unknown> {
  readonly event: Name;
  readonly data: Data;
  readonly id: string | undefined;
}

type Events<S> = S extends { readonly events: infer E extends NonNullable<OperationSpec["events"]> }
  ? E
  : never;
type DataOf<S, Name extends keyof Events<S>> = ReturnType<Events<S>[Name]["parse"]>;

/**
 * Opens an event stream of the API and reads it as a client does. Every event must be declared and of its declared
 * shape.
 * @param path with its parameters filled in
 * @throws Error with status and body where the answer is no stream
 */
export async function openEvents<const S extends OperationSpec>(
  h: Pick<Harness, "fetch">,
  op: S,
  path: string,
  { token, lastEventId }: OpenEventsOptions = {},
): Promise<EventReader<S>> {
  const headers = new Headers({ accept: "text/event-stream", host: "localhost:3000" });
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  if (lastEventId !== undefined) headers.set("last-event-id", lastEventId);
  const response = await h.fetch(path, { headers });
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (!response.ok || !isStream || !response.body) {
    throw new Error(`${op.method} ${path}: ${response.status} ${await response.text()}`);
  }
  return new EventReader(op, response.body);
}

/** A stream that is read. Everything that came is in `received`, in order. */
export class EventReader<S extends OperationSpec> {
  readonly received: StreamEvent[] = [];
  /** Reconnection time the server asked for, in milliseconds. */
  retry: number | undefined;
  /** True once the server ended the stream. */
  ended = false;
  /** Id of the last event that had one, as a browser keeps it. */
  lastEventId: string | undefined;
  readonly #op: S;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #waiting = new Set<() => void>();
  readonly #done: Promise<void>;
  #failure: unknown;
  #taken = 0;

  constructor(op: S, body: ReadableStream<Uint8Array>) {
    this.#op = op;
    this.#reader = body.getReader();
    this.#done = this.#read();
  }

  /**
   * The next event that was not taken yet; with a name the next of that name, and those before it are passed over.
   * @throws Error when the stream ends before it
   */
  async next<Name extends keyof Events<S> & string>(
    name?: Name,
    withinMs = 10_000,
  ): Promise<StreamEvent<Name, DataOf<S, Name>>> {
    const until = performance.now() + withinMs;
    for (;;) {
      while (this.#taken < this.received.length) {
        const event = this.received[this.#taken];
        this.#taken += 1;
        if (event && this.#isOf(event, name)) return event;
      }
      await this.#change(until, `no ${name ?? "event"} came`);
    }
  }

  /** Waits until the condition holds of what came so far. */
  async until(condition: (received: readonly StreamEvent[]) => boolean, withinMs = 10_000): Promise<void> {
    const until = performance.now() + withinMs;
    while (!condition(this.received)) await this.#change(until, "what was waited for did not come");
  }

  /** Waits until the server ends the stream. */
  async end(withinMs = 10_000): Promise<void> {
    const until = performance.now() + withinMs;
    while (!this.ended) await this.#change(until, "the stream did not end");
  }

  /** Data of everything of this name that came so far. */
  all<Name extends keyof Events<S> & string>(name: Name): DataOf<S, Name>[] {
    return this.received.flatMap((event) => (this.#isOf(event, name) ? [event.data] : []));
  }

  /** Whether the event has the name, if one is wanted. Its data were parsed by the declaration of its name. */
  #isOf<Name extends keyof Events<S> & string>(
    event: StreamEvent,
    name: Name | undefined,
  ): event is StreamEvent<Name, DataOf<S, Name>> {
    return name === undefined || event.event === name;
  }

  /** Goes away, as a closed browser tab does. */
  async close(): Promise<void> {
    await this.#reader.cancel().catch(() => undefined);
    await this.#done;
  }

  async #read(): Promise<void> {
    const text = new TextDecoder();
    const parser = createParser({
      onEvent: (message) => this.#take(message),
      onRetry: (ms) => this.#hint(ms),
    });
    try {
      for (;;) {
        const { value, done } = await this.#reader.read();
        if (done) break;
        parser.feed(text.decode(value, { stream: true }));
        this.#wake();
      }
    } catch (error) {
      this.#failure = error;
    }
    this.ended = true;
    this.#wake();
  }

  #hint(ms: number): void {
    this.retry = ms;
  }

  #take({ event: name = "message", data, id }: EventSourceMessage): void {
    const schema = this.#op.events?.[name];
    if (!schema) throw new Error(`${this.#op.id} sent an event ${name}, which it does not declare`);
    if (id !== undefined) this.lastEventId = id;
    this.received.push({ event: name, data: schema.parse(JSON.parse(data)), id });
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  async #change(until: number, complaint: string): Promise<void> {
    if (this.#failure) throw this.#failure;
    const heard = () => `${complaint}; heard: ${this.received.map(({ event }) => event).join(", ")}`;
    if (this.ended) throw new Error(`the stream ended: ${heard()}`);
    const left = until - performance.now();
    if (left <= 0) throw new Error(heard());
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, left);
      this.#waiting.add(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
