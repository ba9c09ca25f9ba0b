import type { ApiResult } from "@/components/call-api";
import type { StreamState } from "@/lib/client/events";
import type { ChatMessage } from "@/lib/contract";
import { PAGE_SIZE } from "./log";
import { Room } from "./room";
import type { ChatAbilities, ChatEvent, Failure, RoomApi } from "./room-state";

export const ME = "me";
export const at = (n: number) => new Date(Date.UTC(2026, 10, 22, 12) + n * 1000).toISOString();
export const entry = (n: number, over: Partial<ChatMessage> = {}): ChatMessage => ({
  id: `id-${n}`,
  topicId: "topic",
  userId: "other",
  nickname: "other",
  profileImage: null,
  automated: false,
  authorDomains: [],
  message: `text ${n}`,
  type: "message",
  createdAt: at(n),
  replyTo: null,
  editedAt: null,
  isDeleted: false,
  deletedBy: null,
  isHidden: false,
  reactions: [],
  revision: n,
  ...over,
});

export class Refused extends Error {
  constructor(readonly failure: Failure) {
    super();
  }
}
export const network = new Refused({ sentence: "no network", code: "network", until: null });

export const offline: RoomApi = {
  list: () => Promise.reject(network),
  send: () => Promise.reject(network),
  change: () => Promise.reject(network),
  follow: () => () => {},
  explain: () => network.failure,
};

const ofMember: ChatAbilities = {
  own: ["reply", "react", "edit", "delete"],
  others: ["reply", "react", "report"],
};
export const ofStaff: ChatAbilities = {
  own: ["reply", "react", "edit", "delete", "hide"],
  others: ["reply", "react", "delete", "hide", "report"],
};

/** A chat on a server: its history, a stream, and sends that the test resolves or rejects. */
export function server(
  count: number,
  seen = count,
  abilities: ChatAbilities = ofMember,
  blocked: readonly string[] = [],
) {
  const history = Array.from({ length: count }, (_, n) => entry(n));
  const sends: {
    text: string;
    key: string;
    replyToId: string | undefined;
    done(message: ChatMessage): void;
    fail(error: unknown): void;
  }[] = [];
  /** Changes that wait for the answer of the test. */
  const changes: ((result: ApiResult<ChatMessage | null>) => void)[] = [];
  let onEvent: (event: ChatEvent) => void = () => {};
  let onState: (state: StreamState) => void = () => {};
  let lists = 0;
  let resumedFrom: string | null = null;
  const api: RoomApi = {
    async list({ limit, since, before }) {
      lists += 1;
      if (since) return history.filter(({ createdAt }) => createdAt > since).slice(0, limit);
      const end = before ? history.findIndex(({ id }) => id === before) : history.length;
      return history.slice(Math.max(0, end - limit), end).toReversed();
    },
    send: (text, key, replyToId) =>
      new Promise((done, fail) => sends.push({ text, key, replyToId, done, fail })),
    change: () => new Promise((done) => changes.push(done)),
    follow(lastEventId, takeEvent, takeState) {
      resumedFrom = lastEventId;
      onEvent = takeEvent;
      onState = takeState;
      return () => {};
    },
    explain: (error) =>
      error instanceof Refused ? error.failure : { sentence: "?", code: null, until: null },
  };
  let keys = 0;
  const room = new Room(
    {
      me: ME,
      latest: history.slice(Math.max(0, seen - PAGE_SIZE), seen).toReversed(),
      presence: { users: [], count: 0 },
      muted: null,
      abilities,
      blocked,
    },
    api,
    () => `key-${++keys}`,
  );
  return {
    room,
    history,
    sends,
    changes,
    lists: () => lists,
    resumedFrom: () => resumedFrom,
    /** Adds a message and publishes it to everyone. */
    say(message: ChatMessage) {
      history.push(message);
      onEvent({ name: "message", data: message });
    },
    tell: (event: ChatEvent) => onEvent(event),
    state: (state: StreamState) => onState(state),
  };
}
export const mine = (n: number, message: string) => entry(n, { userId: ME, nickname: "me", message });
