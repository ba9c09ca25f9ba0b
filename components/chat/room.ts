import type { ApiResult, Client } from "@/components/call-api";
import { type Emoji, hasGiven, withReaction } from "@/components/post/post-state";
import type { StreamState } from "@/lib/client/events";
import type { ChatMessage } from "@/lib/contract";
import type { Ability } from "@/lib/contract/abilities";
import { messageAbilities } from "./abilities";
import { stretchAround } from "./around";
import { LiveLog } from "./live-log";
import {
  added,
  arrived,
  type ChatLog,
  failed,
  justBefore,
  latestLog,
  MAX_ENTRIES,
  ownReactions,
  PAGE_SIZE,
  sendingAgain,
  withCopy,
  withEntry,
  withMessage,
  withNewer,
  withOlder,
  without,
} from "./log";
import {
  type ChatAbilities,
  type ChatEvent,
  type Editing,
  type Failure,
  type RoomApi,
  type RoomStart,
  type RoomState,
  startState,
} from "./room-state";

/** A longer gap is not filled: the room shows the end of the chat instead. */
const LONGEST_GAP = MAX_ENTRIES;

/** One reader's view of a topic's chat: history, new messages, unsent messages. Independent of React and the DOM. */
export class Room {
  #state: RoomState;
  readonly #log: LiveLog;
  readonly #abilities: ChatAbilities;
  readonly #blocked: ReadonlySet<string>;
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
  /** What loads now; never rejects. */
  #loading: Promise<void> | undefined;

  constructor(start: RoomStart, api: RoomApi, newKey: () => string = () => crypto.randomUUID()) {
    this.#me = start.me;
    this.#api = api;
    this.#newKey = newKey;
    this.#abilities = start.abilities;
    this.#blocked = new Set(start.blocked);
    this.#log = new LiveLog(
      latestLog(start.latest, PAGE_SIZE),
      (message) => this.#readsHidden(message),
      () => this.#set({ log: this.#log.shown }),
    );
    this.#state = startState(start, this.#log.shown);
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
    this.#stopFollowing = this.#api.follow(
      this.#state.log.entries.at(-1)?.id ?? null,
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
      const page = this.#log.fresh(await this.#api.list({ limit: PAGE_SIZE, before: first.id }));
      this.#log.apply((log) => withOlder(log, page, PAGE_SIZE));
    });
  }

  async loadNewer(): Promise<void> {
    const last = this.#state.log.entries.at(-1);
    if (this.#state.loading || !this.#state.log.hasNewer || !last) return;
    await this.#load("newer", async () => {
      const page = this.#log.fresh(await this.#api.list({ limit: PAGE_SIZE, since: last.createdAt }));
      this.#log.apply((log) => withNewer(log, page, PAGE_SIZE));
    });
  }

  /** Shows the end of the chat. */
  async toLatest(): Promise<void> {
    if (!this.#state.log.hasNewer) return;
    await this.#load("newer", () => this.#showLatest());
  }

  /**
   * Shows a message of the history, which loads with what surrounds it where the log does not have it.
   * @returns why it cannot be shown, or null
   */
  async jumpTo(id: string): Promise<Failure | null> {
    const isThere = () => this.#state.log.entries.some((entry) => entry.id === id);
    // What loads now belongs to the stretch that is shown now.
    await this.#loading;
    if (!isThere()) {
      this.#set({ loading: "older" });
      try {
        this.#replace(await stretchAround(id, this.#api, (page) => this.#log.fresh(page)), false);
      } catch (error) {
        return this.#api.explain(error);
      } finally {
        this.#set({ loading: null });
      }
    }
    if (isThere()) this.#set({ target: { id } });
    return null;
  }

  /** Ends the mark of the message that the reader jumped to. */
  unmark(): void {
    if (this.#state.target) this.#set({ target: null });
  }

  /** Sends a message, which shows at once. */
  send(text: string): void {
    const key = this.#newKey();
    const { outbox, replyTo } = this.#state;
    this.#set({ outbox: added(outbox, key, text, replyTo), replyTo: null });
    this.#deliver(key);
  }

  /** Chooses the message that the next one answers. */
  answer(message: ChatMessage | null): void {
    this.#set({ replyTo: message });
  }

  /** Begins or ends the change of a message's text. */
  write(editing: Editing | null): void {
    this.#set({ editing });
  }

  /** Returns what the reader may do with a message. */
  abilitiesOf(message: ChatMessage): readonly Ability<"message">[] {
    return messageAbilities(message, this.#abilities, { me: this.#me, isMuted: this.#state.muted !== null });
  }

  /** Changes the text of a message. A refusal brings back the old text, and the form with the new one. */
  async edit(id: string, text: string): Promise<ApiResult<unknown>> {
    this.#set({ editing: null });
    const editedAt = new Date().toISOString();
    const result = await this.#change(
      id,
      (message) => ({ ...message, message: text, editedAt }),
      async ({ api, contract }) =>
        (await api.call(contract.chat.update, { messageId: id, message: text })).message,
    );
    if (!result.ok && this.#state.editing === null) {
      this.#set({ editing: { id, text, problem: result.sentence } });
    }
    return result;
  }

  /** Gives a reaction, or takes it back. */
  async react({ id, reactions: shown }: ChatMessage, emoji: Emoji): Promise<ApiResult<unknown>> {
    const reacted = !hasGiven(ownReactions(shown), emoji);
    return await this.#change(
      id,
      (message) => ({ ...message, reactions: withReaction(ownReactions(message.reactions), emoji, reacted) }),
      async ({ api, contract }) =>
        (await api.call(contract.chat.react, { messageId: id, emoji, reacted })).message,
    );
  }

  /** Makes a hidden message visible again. */
  async show(id: string): Promise<ApiResult<unknown>> {
    return await this.#change(
      id,
      (message) => ({ ...message, isHidden: false }),
      async ({ api, contract }) => {
        await api.call(contract.moderation.hideMessage, { messageId: id, hidden: false });
        return null;
      },
    );
  }

  /** Shows a change that the server has confirmed; the stream brings the message as it is now. */
  confirm(id: string, change: (message: ChatMessage) => ChatMessage): void {
    this.#log.apply((log) => withMessage(log, id, change));
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
        const message = await this.#api.send(entry.text, key, entry.replyTo?.id);
        this.#apply((log) => withEntry(log, message, this.#isAtEnd), {
          outbox: without(this.#state.outbox, key),
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
    else if (event.name === "message_changed") this.#receiveChange(event.data);
    else if (event.name === "reset") void this.#catchUp();
  }

  #receive(message: ChatMessage): void {
    const { log, outbox } = this.#state;
    // It waits for review: the stream has its text for nobody.
    if (message.isHidden && !message.isDeleted && this.#readsHidden(message)) void this.#readAgain(message);
    if (message.userId === this.#me && message.type === "message") {
      this.#apply((known) => withEntry(known, message, this.#isAtEnd), { outbox: arrived(outbox, message) });
      return;
    }
    if (log.entries.some(({ id }) => id === message.id)) return;
    const news = this.#isNews(message) && !this.#isAtEnd;
    this.#apply((known) => withEntry(known, message, this.#isAtEnd), {
      unseen: this.#state.unseen + (news ? 1 : 0),
      markId: news && this.#isMarkSeen() ? message.id : this.#state.markId,
    });
    // Nothing is read out of a message that was hidden or deleted meanwhile.
    if (message.type !== "message" || message.message === "") return;
    for (const listener of this.#arrivalListeners) listener(message);
  }

  /** Handles a newer copy of a message. */
  #receiveChange(copy: ChatMessage): void {
    this.#log.receive(copy);
    if (!copy.isDeleted && !copy.isHidden) return;
    const isReadable = !copy.isDeleted && this.#readsHidden(copy);
    if (isReadable) void this.#readAgain(copy);
    const { editing, replyTo } = this.#state;
    if (!isReadable && editing?.id === copy.id) this.#set({ editing: null });
    if (!isReadable && replyTo?.id === copy.id) this.#set({ replyTo: null });
  }

  #readsHidden({ userId }: ChatMessage): boolean {
    return userId === this.#me || this.#abilities.others.includes("hide");
  }

  /** Reads a hidden message, whose text the stream does not have, from the history. */
  async #readAgain({ createdAt }: ChatMessage): Promise<void> {
    const [copy] = await this.#api.list({ limit: 1, since: justBefore(createdAt) }).catch(() => []);
    if (copy) this.#log.apply((log) => withCopy(log, copy, true));
  }

  /** Changes a message, which shows at once. A refusal undoes it. */
  async #change(
    id: string,
    change: (message: ChatMessage) => ChatMessage,
    work: (client: Client) => Promise<ChatMessage | null>,
  ): Promise<ApiResult<unknown>> {
    const result = await this.#log.change(id, change, () => this.#api.change(work));
    if (!result.ok && result.code === "muted") {
      this.#set({ muted: { reason: null, until: result.body?.until ?? null } });
    }
    return result;
  }

  /** Returns whether the reader has seen the end since the mark was set. */
  #isMarkSeen(): boolean {
    const mark = this.#state.log.entries.find(({ id }) => id === this.#state.markId);
    return !mark || mark.createdAt <= this.#seenAt;
  }

  #isNews(entry: ChatMessage): boolean {
    const { type, userId, createdAt } = entry;
    if (type !== "message" || userId === this.#me || this.#blocked.has(userId)) return false;
    return createdAt > this.#seenAt;
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
    const [first] = this.#state.log.entries;
    const last = this.#state.log.entries.at(-1);
    if (!first || !last) return this.#showLatest();
    // The stream cannot tell what changed meanwhile.
    const known = await this.#api.list({ limit: MAX_ENTRIES, since: justBefore(first.createdAt) });
    this.#log.apply((log) => known.reduce((whole, copy) => withCopy(whole, copy, true), log));
    if (this.#state.log.hasNewer) return;
    const missed = await this.#api.list({ limit: LONGEST_GAP, since: last.createdAt });
    if (missed.length < LONGEST_GAP) for (const entry of missed) this.#receive(entry);
    else await this.#showLatest();
  }

  async #showLatest(): Promise<void> {
    const page = this.#log.fresh(await this.#api.list({ limit: PAGE_SIZE }));
    this.#replace(latestLog(page, PAGE_SIZE), true);
  }

  /** Replaces the log by another stretch, and keeps what arrived after that was read. */
  #replace(log: ChatLog, isAtEnd: boolean): void {
    const newest = Date.parse(log.entries.at(-1)?.createdAt ?? "");
    const later = this.#state.log.entries.filter(({ createdAt }) => !(Date.parse(createdAt) <= newest));
    this.#log.apply(() => later.reduce((whole, entry) => withEntry(whole, entry, isAtEnd), log));
  }

  async #load(what: "older" | "newer", work: () => Promise<void>): Promise<void> {
    this.#set({ loading: what, loadFailed: false });
    this.#loading = work().then(
      () => this.#set({ loading: null }),
      () => this.#set({ loading: null, loadFailed: true }),
    );
    await this.#loading;
  }

  /** Changes the log as the server says, together with other parts of the state, for one rendering. */
  #apply(change: (log: ChatLog) => ChatLog, rest: Partial<RoomState>): void {
    this.#state = { ...this.#state, ...rest };
    this.#log.apply(change);
  }

  #set(change: Partial<RoomState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
