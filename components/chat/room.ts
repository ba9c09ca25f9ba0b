import type { EventOf, StreamState } from "@/lib/client/events";
import type { ChatMessage, contract, Presence } from "@/lib/contract";
import {
  added,
  arrived,
  type ChatLog,
  failed,
  latestLog,
  MAX_ENTRIES,
  type Outbox,
  sendingAgain,
  withEntry,
  withNewer,
  withOlder,
  without,
} from "./log";

export type ChatEvent = EventOf<typeof contract.chat.subscribe>;

/** The API calls of a room. */
export interface RoomApi {
  /** Lists the latest entries, those after `since` (oldest first), or those before `before` (newest first). */
  list(query: { limit: number; since?: string; before?: string }): Promise<readonly ChatMessage[]>;
  send(text: string, key: string): Promise<ChatMessage>;
  follow(
    lastEventId: string | null,
    onEvent: (event: ChatEvent) => void,
    onState: (state: StreamState) => void,
  ): () => void;
  /** Translates an error into a sentence for the reader. */
  explain(error: unknown): Failure;
}
export interface Failure {
  readonly sentence: string;
  readonly code: string | null;
  /** Set when the code is "muted". */
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
  /** Error code that closed the room. */
  readonly closedBy: string | null;
  readonly loading: "older" | "newer" | null;
  readonly loadFailed: boolean;
  /** First entry since the reader's last visit. */
  readonly markId: string | null;
  /** Number of messages of others that arrived while the reader did not see the end. */
  readonly unseen: number;
  readonly muted: Muted | null;
}

interface RoomStart {
  /** User id of the reader. */
  readonly me: string;
  /** Newest first. */
  readonly latest: readonly ChatMessage[];
  readonly presence: Presence;
  readonly muted: Muted | null;
}

/** The state of a chat when the server renders it. */
export interface ChatStart extends RoomStart {
  readonly topicId: string;
}

/** Entries per request. */
export const PAGE_SIZE = 50;
/** A longer gap is not filled: the room shows the end of the chat instead. */
const LONGEST_GAP = MAX_ENTRIES;

/** One reader's view of a topic's chat: history, new messages, unsent messages. Independent of React and the DOM. */
export class Room {
  #state: RoomState;
  readonly #listeners = new Set<() => void>();
  readonly #arrivalListeners = new Set<(message: ChatMessage) => void>();
  readonly #me: string;
  readonly #api: RoomApi;
  readonly #newKey: () => string;
  #stopFollowing: (() => void) | undefined;
  /** Sends messages one after the other, so that they keep their order. */
  #queue: Promise<void> = Promise.resolve();
  #isAtEnd = false;
  #seenAt = "";
  #catchingUp: Promise<void> | undefined;

  constructor(start: RoomStart, api: RoomApi, newKey: () => string = () => crypto.randomUUID()) {
    this.#me = start.me;
    this.#api = api;
    this.#newKey = newKey;
    this.#state = {
      log: latestLog(start.latest, PAGE_SIZE),
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

  readonly snapshot = (): RoomState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Calls the listener for every new message of others. */
  onArrival(listener: (message: ChatMessage) => void): () => void {
    this.#arrivalListeners.add(listener);
    return () => this.#arrivalListeners.delete(listener);
  }

  /** Subscribes to the chat. @param seenAt createdAt of the last entry seen on an earlier visit */
  open(seenAt: string | null): void {
    if (seenAt) {
      this.#seenAt = seenAt;
      this.#set({ markId: this.#state.log.entries.find((entry) => this.#isNews(entry))?.id ?? null });
    }
    const last = this.#state.log.entries.at(-1)?.id ?? null;
    this.#stopFollowing = this.#api.follow(
      last,
      (event) => this.#onEvent(event),
      (state) => this.#onState(state),
    );
  }

  close(): void {
    this.#stopFollowing?.();
  }

  /** Records whether the reader sees the end of the chat. @returns createdAt of the last entry they have seen */
  attend(isAtEnd: boolean): string | null {
    this.#isAtEnd = isAtEnd;
    const last = this.#state.log.entries.at(-1);
    if (!isAtEnd || !last || this.#state.log.hasNewer) return null;
    this.#seenAt = last.createdAt;
    if (this.#state.unseen > 0) this.#set({ unseen: 0 });
    return last.createdAt;
  }

  async loadOlder(): Promise<void> {
    const first = this.#state.log.entries[0];
    if (this.#state.loading || !this.#state.log.hasOlder || !first) return;
    await this.#load("older", async () => {
      const page = await this.#api.list({ limit: PAGE_SIZE, before: first.id });
      this.#set({ log: withOlder(this.#state.log, page, PAGE_SIZE) });
    });
  }

  async loadNewer(): Promise<void> {
    const last = this.#state.log.entries.at(-1);
    if (this.#state.loading || !this.#state.log.hasNewer || !last) return;
    await this.#load("newer", async () => {
      const page = await this.#api.list({ limit: PAGE_SIZE, since: last.createdAt });
      this.#set({ log: withNewer(this.#state.log, page, PAGE_SIZE) });
    });
  }

  /** Shows the end of the chat. */
  async toLatest(): Promise<void> {
    if (!this.#state.log.hasNewer) return;
    await this.#load("newer", () => this.#showLatest());
  }

  /** Sends a message, which shows at once. */
  send(text: string): void {
    const key = this.#newKey();
    this.#set({ outbox: added(this.#state.outbox, key, text) });
    this.#deliver(key);
  }

  retry(key: string): void {
    this.#set({ outbox: sendingAgain(this.#state.outbox, key) });
    this.#deliver(key);
  }

  discard(key: string): void {
    this.#set({ outbox: without(this.#state.outbox, key) });
  }

  #deliver(key: string): void {
    this.#queue = this.#queue.then(async () => {
      const entry = this.#state.outbox.find((one) => one.key === key);
      if (!entry) return;
      try {
        const message = await this.#api.send(entry.text, key);
        this.#set({
          outbox: without(this.#state.outbox, key),
          log: withEntry(this.#state.log, message, this.#isAtEnd),
        });
      } catch (error) {
        const { sentence, code, until } = this.#api.explain(error);
        this.#set({
          outbox: failed(this.#state.outbox, key, sentence, code === "network"),
          ...(code === "muted" ? { muted: { reason: null, until } } : {}),
        });
      }
    });
  }

  #onEvent(event: ChatEvent): void {
    if (event.name === "presence") this.#set({ presence: event.data });
    else if (event.name === "message") this.#receive(event.data);
    else if (event.name === "reset") void this.#catchUp();
  }

  #receive(message: ChatMessage): void {
    const { log, outbox } = this.#state;
    if (message.userId === this.#me && message.type === "message") {
      this.#set({ log: withEntry(log, message, this.#isAtEnd), outbox: arrived(outbox, message) });
      return;
    }
    if (log.entries.some(({ id }) => id === message.id)) return;
    const news = this.#isNews(message) && !this.#isAtEnd;
    this.#set({
      log: withEntry(log, message, this.#isAtEnd),
      unseen: this.#state.unseen + (news ? 1 : 0),
      markId: news && this.#isMarkSeen() ? message.id : this.#state.markId,
    });
    if (message.type === "message") for (const listener of this.#arrivalListeners) listener(message);
  }

  /** Returns whether the reader has seen the end since the mark was set. */
  #isMarkSeen(): boolean {
    const mark = this.#state.log.entries.find(({ id }) => id === this.#state.markId);
    return !mark || mark.createdAt <= this.#seenAt;
  }

  #isNews(entry: ChatMessage): boolean {
    return entry.type === "message" && entry.userId !== this.#me && entry.createdAt > this.#seenAt;
  }

  #onState(state: StreamState): void {
    if (state.kind === "closed") {
      this.#set({ stream: "closed", closedBy: state.error.code });
      return;
    }
    this.#set({ stream: state.kind });
    if (state.kind !== "live") return;
    // Without a last entry id, the stream cannot replay what the page missed.
    if (this.#state.log.entries.length === 0) void this.#catchUp();
    for (const one of this.#state.outbox) if (one.whenBack && !one.hasArrived) this.retry(one.key);
  }

  /** Fetches what arrived after the last entry. */
  #catchUp(): Promise<void> {
    this.#catchingUp ??= this.#fetchMissed()
      // The stream continues; the next reset or reload fetches what is missing.
      .catch(() => {})
      .finally(() => {
        this.#catchingUp = undefined;
      });
    return this.#catchingUp;
  }

  async #fetchMissed(): Promise<void> {
    const last = this.#state.log.entries.at(-1);
    if (!last) return this.#showLatest();
    if (this.#state.log.hasNewer) return;
    const missed = await this.#api.list({ limit: LONGEST_GAP, since: last.createdAt });
    if (missed.length < LONGEST_GAP) for (const entry of missed) this.#receive(entry);
    else await this.#showLatest();
  }

  async #showLatest(): Promise<void> {
    const page = await this.#api.list({ limit: PAGE_SIZE });
    // Keep what arrived after the page was read.
    const newest = Date.parse(page[0]?.createdAt ?? "");
    const later = this.#state.log.entries.filter(({ createdAt }) => !(Date.parse(createdAt) <= newest));
    const log = latestLog(page, PAGE_SIZE);
    this.#set({ log: later.reduce((whole, entry) => withEntry(whole, entry, true), log) });
  }

  async #load(what: "older" | "newer", work: () => Promise<void>): Promise<void> {
    this.#set({ loading: what, loadFailed: false });
    try {
      await work();
      this.#set({ loading: null });
    } catch {
      this.#set({ loading: null, loadFailed: true });
    }
  }

  #set(change: Partial<RoomState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
