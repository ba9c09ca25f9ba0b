"use client";

import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import type { StreamState } from "@/lib/client/events";
import type { Words } from "@/lib/i18n/words";
import { Room } from "./room";
import type { ChatStart, RoomApi, RoomState } from "./room-state";
import { loadSeen } from "./storage";

const load = async () => {
  const [shared, { followEvents }] = await Promise.all([
    import("@/components/api"),
    import("@/lib/client/events"),
  ]);
  return { ...shared, followEvents };
};

/** The chat API of a topic; loads the API client on first use. */
function lazyRoomApi(words: Words, topicId: string, hiddenMs?: number): RoomApi {
  let loaded: Awaited<ReturnType<typeof load>> | undefined;
  const ready = async () => {
    loaded ??= await load();
    return loaded;
  };
  return {
    async list(query) {
      const { api, contract } = await ready();
      return (await api.call(contract.chat.list, { topicId, ...query })).messages;
    },
    async send(text, key, replyToId) {
      const { api, contract } = await ready();
      const input = { topicId, message: text, replyToId };
      return (await api.call(contract.chat.send, input, { idempotencyKey: key })).message;
    },
    change: (work) => callApi(words, work),
    follow(lastEventId, onEvent, onState) {
      let stop = () => {};
      let isOver = false;
      ready().then(
        ({ contract, followEvents }) => {
          if (isOver) return;
          stop = followEvents(
            contract.chat.subscribe,
            { topicId },
            {
              lastEventId,
              onEvent,
              onState,
              timing: hiddenMs === undefined ? {} : { hidden: hiddenMs },
            },
          );
        },
        // The script did not load: there is no network, or a new version was deployed.
        () => onState({ kind: "offline" } satisfies StreamState),
      );
      return () => {
        isOver = true;
        stop();
      };
    },
    explain(error) {
      if (!loaded) return { sentence: words.t("problems.network"), code: "network", until: null };
      const until = error instanceof loaded.ApiError ? (error.body?.until ?? null) : null;
      return { sentence: loaded.sentence(words, error), code: loaded.codeOf(error), until };
    },
  };
}

interface Chat extends Pick<ChatStart, "topicId" | "me"> {
  readonly room: Room;
  /** Ids of users whose messages fold away. */
  readonly blocked: ReadonlySet<string>;
  /** createdAt of the last entry seen on an earlier visit. */
  readonly seenBefore: string | null;
}
const ChatContext = createContext<Chat | null>(null);

interface ChatProviderProps {
  readonly start: ChatStart;
  /** How long a hidden page keeps the stream; minutes by default. */
  readonly hiddenMs?: number;
  readonly children: ReactNode;
}

/** Provides a chat to the components below, which share its history and its stream. */
export function ChatProvider({ start, hiddenMs, children }: ChatProviderProps) {
  const words = useWords();
  const { topicId, me } = start;
  const [value] = useState<Chat>(() => ({
    topicId,
    me,
    blocked: new Set(start.blocked),
    room: new Room(start, lazyRoomApi(words, topicId, hiddenMs)),
    // Read before the messages show, which marks them as seen.
    seenBefore: loadSeen(topicId),
  }));
  useEffect(() => {
    value.room.open(value.seenBefore);
    return () => value.room.close();
  }, [value]);
  return <ChatContext value={value}>{children}</ChatContext>;
}

/** Returns the chat of this page. */
export function useChat(): Chat {
  const chat = useContext(ChatContext);
  if (!chat) throw new Error("useChat needs a ChatProvider");
  return chat;
}

/** Returns the current state of the chat. */
export function useRoomState(): RoomState {
  const { room } = useChat();
  return useSyncExternalStore(room.subscribe, room.snapshot, room.snapshot);
}

/** Returns one part of the state, so that other changes do not render the component again. */
export function useRoomPart<T>(part: (state: RoomState) => T): T {
  const { room } = useChat();
  const read = useCallback(() => part(room.snapshot()), [room, part]);
  return useSyncExternalStore(room.subscribe, read, read);
}
