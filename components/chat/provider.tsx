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
import type { ChatMessage, Presence } from "@/lib/contract";
import { lazyRoomApi } from "./api";
import { type Muted, Room, type RoomState } from "./room";
import { loadSeen } from "./storage";

/** What the server knows of a chat when it renders it. */
export interface ChatStart {
  readonly topicId: string;
  /** User id of the reader. */
  readonly me: string;
  /** Newest first. */
  readonly latest: readonly ChatMessage[];
  readonly presence: Presence;
  readonly muted: Muted | null;
}

interface Chat {
  readonly topicId: string;
  readonly me: string;
  readonly room: Room;
  /** createdAt of the last entry seen on an earlier visit. */
  readonly seenBefore: string | null;
}
const ChatContext = createContext<Chat | null>(null);

/** One chat of a page: everything below shares its history and its one stream. */
export function ChatProvider({
  start,
  hiddenMs,
  children,
}: {
  readonly start: ChatStart;
  /** Milliseconds out of sight after which the stream is given back; by itself minutes. */
  readonly hiddenMs?: number;
  readonly children: ReactNode;
}) {
  const words = useWords();
  const { topicId, me } = start;
  const [value] = useState<Chat>(() => ({
    ...{ topicId, me },
    room: new Room(start, lazyRoomApi(words, topicId, hiddenMs)),
    // Read before anything below is shown, and with that counts as seen.
    seenBefore: loadSeen(topicId),
  }));
  useEffect(() => {
    value.room.open(value.seenBefore);
    return () => value.room.close();
  }, [value]);
  return <ChatContext value={value}>{children}</ChatContext>;
}

/** The chat of this page. */
export function useChat(): Chat {
  const chat = useContext(ChatContext);
  if (!chat) throw new Error("there is no chat around this");
  return chat;
}

/** What it shows now. */
export function useRoomState(): RoomState {
  const { room } = useChat();
  return useSyncExternalStore(room.subscribe, room.snapshot, room.snapshot);
}

/** One part of it, so that a component is not drawn again for the others. */
export function useRoomPart<T>(part: (state: RoomState) => T): T {
  const { room } = useChat();
  const read = useCallback(() => part(room.snapshot()), [room, part]);
  return useSyncExternalStore(room.subscribe, read, read);
}
