import type { EventOf, StreamState } from "@/lib/client/events";
import type { ChatMessage, contract, Presence } from "@/lib/contract";
import { type ChatLog, keptEntries, latestLog, withEntry, withNewer, withOlder } from "./log";
import { added, arrived, failed, type Outbox, sendingAgain, without } from "./outbox";

export type ChatEvent = EventOf<typeof contract.chat.subscribe>;

/** What a room asks of the API. */
export interface RoomApi {
  /** The latest, or with `since` what came after (oldest first), or with `before` what came before (newest first). */
  list(query: { limit: number; since?: string; before?: string }): Promise<readonly ChatMessage[]>;
  send(text: string, key: string): Promise<ChatMessage>;
  follow(
    lastEventId: string | null,
    onEvent: (event: ChatEvent) => void,
    onState: (state: StreamState) => void,
  ): () => void;
  /** What a failure means to the person. */
  explain(error: unknown): Failure;
}
export interface Failure {
  readonly sentence: string;
  readonly code: string | null;
  /** With code muted. */
  readonly until: string | null;
}

export interface Muted {
  readonly reason: string | null;
  readonly until: string | null;
}

export interface RoomState {
  readonly log: ChatLog;
  readonly outbox: Outbox;
  readonly presence: Presence;
  readonly stream: StreamState["kind"];
  /** Why the room is closed: the code of the refusal. */
  readonly closedBy: string | null;
  readonly loading: "older" | "newer" | null;
  readonly loadFailed: boolean;
  /** First entry the reader has not seen, since they were last here. */
  readonly markId: string | null;
  /** Messages of others that came while the reader was elsewhere. */
  readonly unseen: number;
  readonly muted: Muted | null;
}

export interface RoomStart {
  readonly me: string;
  /** Newest first, as the server rendered it. */
  readonly latest: readonly ChatMessage[];
  readonly presence: Presence;
  readonly muted: Muted | null;
}

/** Entries asked for at once. */
export const pageSize = 50;
/** After this many the rest of a gap is not worth fetching: the end is shown instead. */
const LONGEST_GAP = keptEntries;

/** One topic's chat as one reader has it: history, what arrives, what they send. It knows neither React nor the DOM. */
export class Room {
  private state: RoomState;
  private readonly listeners = new Set<() => void>();
  private readonly arrivals = new Set<(message: ChatMessage) => void>();
  private stopFollowing: (() => void) | undefined;
  /** Messages go one after the other, or they would arrive in another order. */
  private line: Promise<void> = Promise.resolve();
  /** The reader sees the end of the chat. */
  private isHere = false;
  private seenAt = "";
  private catchingUp: Promise<void> | undefined;

  constructor(
    private readonly start: RoomStart,
    private readonly api: RoomApi,
    private readonly newKey: () => string = () => crypto.randomUUID(),
  ) {
    this.state = {
      log: latestLog(start.latest, pageSize),
      outbox: [],
      presence: start.presence,
      stream: "connecting",
      closedBy: null,
      loading: null,
      loadFailed: false,
      markId: null,
      unseen: 0,
      muted: start.muted,
    };
  }

  readonly snapshot = (): RoomState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Tells of every message of others that arrives from now on. */
  onArrival(listener: (message: ChatMessage) => void): () => void {
    this.arrivals.add(listener);
    return () => this.arrivals.delete(listener);
  }

  /** Begins to follow what happens. @param seenAt createdAt of the last entry seen on an earlier visit */
  open(seenAt: string | null): void {
    if (seenAt) {
      this.seenAt = seenAt;
      this.set({ markId: this.state.log.entries.find((entry) => this.isNews(entry))?.id ?? null });
    }
    const last = this.state.log.entries.at(-1)?.id ?? null;
    this.stopFollowing = this.api.follow(
      last,
      (event) => this.take(event),
      (state) => this.turn(state),
    );
  }

  close(): void {
    this.stopFollowing?.();
  }

  /** The reader sees the end of the chat, or does not any more. @returns createdAt of the last entry they have seen */
  attend(isHere: boolean): string | null {
    this.isHere = isHere;
    const last = this.state.log.entries.at(-1);
    if (!isHere || !last || this.state.log.hasNewer) return null;
    this.seenAt = last.createdAt;
    if (this.state.unseen > 0) this.set({ unseen: 0 });
    return last.createdAt;
  }

  async loadOlder(): Promise<void> {
    const first = this.state.log.entries[0];
    if (this.state.loading || !this.state.log.hasOlder || !first) return;
    await this.load("older", async () => {
      const page = await this.api.list({ limit: pageSize, before: first.id });
      this.set({ log: withOlder(this.state.log, page, pageSize) });
    });
  }

  async loadNewer(): Promise<void> {
    const last = this.state.log.entries.at(-1);
    if (this.state.loading || !this.state.log.hasNewer || !last) return;
    await this.load("newer", async () => {
      const page = await this.api.list({ limit: pageSize, since: last.createdAt });
      this.set({ log: withNewer(this.state.log, page, pageSize) });
    });
  }

  /** Shows the end of the chat, however far away it is. */
  async toLatest(): Promise<void> {
    if (!this.state.log.hasNewer) return;
    await this.load("newer", () => this.showLatest());
  }

  /** Says something; it is shown at once. */
  send(text: string): void {
    const key = this.newKey();
    this.set({ outbox: added(this.state.outbox, key, text) });
    this.deliver(key);
  }

  retry(key: string): void {
    this.set({ outbox: sendingAgain(this.state.outbox, key) });
    this.deliver(key);
  }

  discard(key: string): void {
    this.set({ outbox: without(this.state.outbox, key) });
  }

  private deliver(key: string): void {
    this.line = this.line.then(async () => {
      const entry = this.state.outbox.find((one) => one.key === key);
      if (!entry) return;
      try {
        const message = await this.api.send(entry.text, key);
        this.set({
          outbox: without(this.state.outbox, key),
          log: withEntry(this.state.log, message, this.isHere),
        });
      } catch (error) {
        this.failTo(key, this.api.explain(error));
      }
    });
  }

  private failTo(key: string, { sentence, code, until }: Failure): void {
    this.set({
      outbox: failed(this.state.outbox, key, sentence, code === "network"),
      ...(code === "muted" ? { muted: { reason: null, until } } : {}),
    });
  }

  private take(event: ChatEvent): void {
    if (event.name === "presence") this.set({ presence: event.data });
    else if (event.name === "message") this.receive(event.data);
    else if (event.name === "reset") void this.catchUp();
  }

  private receive(message: ChatMessage): void {
    const { log, outbox } = this.state;
    const isMine = message.userId === this.start.me;
    if (isMine && message.type === "message") {
      this.set({
        log: withEntry(log, message, this.isHere),
        outbox: arrived(outbox, message),
      });
      return;
    }
    const isKnown = log.entries.some(({ id }) => id === message.id);
    if (isKnown) return;
    const news = this.isNews(message) && !this.isHere;
    this.set({
      log: withEntry(log, message, this.isHere),
      unseen: this.state.unseen + (news ? 1 : 0),
      markId: news && this.isMarkSeen() ? message.id : this.state.markId,
    });
    if (message.type === "message") for (const listener of this.arrivals) listener(message);
  }

  /** The reader has been at the end since the present mark was set. */
  private isMarkSeen(): boolean {
    const mark = this.state.log.entries.find(({ id }) => id === this.state.markId);
    return !mark || mark.createdAt <= this.seenAt;
  }

  private isNews(entry: ChatMessage): boolean {
    return entry.type === "message" && entry.userId !== this.start.me && entry.createdAt > this.seenAt;
  }

  private turn(state: StreamState): void {
    if (state.kind === "closed") {
      this.set({ stream: "closed", closedBy: state.error.code });
      return;
    }
    this.set({ stream: state.kind });
    if (state.kind !== "live") return;
    // Without an entry to name, the stream cannot know what came between the page and it.
    if (this.state.log.entries.length === 0) void this.catchUp();
    for (const one of this.state.outbox) if (one.whenBack && !one.hasArrived) this.retry(one.key);
  }

  /** Fetches what came after the last entry there is. */
  private catchUp(): Promise<void> {
    this.catchingUp ??= this.fetchMissed()
      // The stream goes on; the next reset or reload gets what is missing.
      .catch(() => {})
      .finally(() => {
        this.catchingUp = undefined;
      });
    return this.catchingUp;
  }

  private async fetchMissed(): Promise<void> {
    const last = this.state.log.entries.at(-1);
    if (!last) return this.showLatest();
    if (this.state.log.hasNewer) return;
    const missed = await this.api.list({ limit: LONGEST_GAP, since: last.createdAt });
    if (missed.length < LONGEST_GAP) for (const entry of missed) this.receive(entry);
    else await this.showLatest();
  }

  private async showLatest(): Promise<void> {
    const page = await this.api.list({ limit: pageSize });
    // What arrived since the page was read stays.
    const newest = Date.parse(page[0]?.createdAt ?? "");
    const later = this.state.log.entries.filter(({ createdAt }) => !(Date.parse(createdAt) <= newest));
    const log = latestLog(page, pageSize);
    this.set({ log: later.reduce((whole, entry) => withEntry(whole, entry, true), log) });
  }

  private async load(what: "older" | "newer", work: () => Promise<void>): Promise<void> {
    this.set({ loading: what, loadFailed: false });
    try {
      await work();
      this.set({ loading: null });
    } catch {
      this.set({ loading: null, loadFailed: true });
    }
  }

  private set(change: Partial<RoomState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }
}
