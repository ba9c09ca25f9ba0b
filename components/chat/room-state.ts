import type { ApiResult, Client } from "@/components/call-api";
import type { EventOf, StreamState } from "@/lib/client/events";
import type { ChatMessage, contract, Presence, ResponseBody } from "@/lib/contract";
import type { ChatLog, Outbox } from "./log";

export type ChatEvent = EventOf<typeof contract.chat.subscribe>;

/** The API calls of a room. */
export interface RoomApi {
  /** Lists the latest entries, those after `since` (oldest first), or those before `before` (newest first). */
  list(query: { limit: number; since?: string; before?: string }): Promise<readonly ChatMessage[]>;
  send(text: string, key: string, replyToId: string | undefined): Promise<ChatMessage>;
  /** Changes a message. Returns it, or null if the answer does not have it, and every failure as a value. */
  change(work: (client: Client) => Promise<ChatMessage | null>): Promise<ApiResult<ChatMessage | null>>;
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
  /** The message that the next one answers. */
  readonly replyTo: ChatMessage | null;
  /** The message whose text the reader is changing. */
  readonly editing: Editing | null;
  /** The message that the reader jumped to. */
  readonly target: Target | null;
}

/** Another object for each jump, also to the same message. */
interface Target {
  readonly id: string;
}

/** An edit that is being written. */
export interface Editing {
  readonly id: string;
  readonly text: string;
  /** Why the server refused it, or null. */
  readonly problem: string | null;
}

/** What a reader may do with messages of theirs and of others. */
export type ChatAbilities = ResponseBody<typeof contract.chat.list>["abilities"];

export interface RoomStart {
  /** User id of the reader. */
  readonly me: string;
  /** Newest first. */
  readonly latest: readonly ChatMessage[];
  readonly presence: Presence;
  readonly muted: Muted | null;
  readonly abilities: ChatAbilities;
  /** Ids of users whose messages fold away. */
  readonly blocked?: readonly string[];
}

/** Returns the state of a room that is not open yet. */
export function startState({ presence, muted }: RoomStart, log: ChatLog): RoomState {
  return {
    log,
    outbox: [],
    presence,
    stream: "connecting",
    closedBy: null,
    loading: null,
    loadFailed: false,
    markId: null,
    unseen: 0,
    muted,
    replyTo: null,
    editing: null,
    target: null,
  };
}

/** The state of a chat when the server renders it. */
export interface ChatStart extends RoomStart {
  readonly topicId: string;
  readonly blocked: readonly string[];
}
