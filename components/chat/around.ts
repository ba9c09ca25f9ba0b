import type { ChatMessage } from "@/lib/contract";
import { type ChatLog, PAGE_SIZE } from "./log";
import type { RoomApi } from "./room-state";

type Page = readonly ChatMessage[];

/** Before every message. */
const EPOCH = new Date(0).toISOString();

/**
 * Reads a stretch of the history around a message, in two requests however far back it is.
 * @param fresh returns a page with what the stream has said of its messages since
 * @throws what the API throws, `message_not_found` if it is gone
 */
export async function stretchAround(
  id: string,
  api: Pick<RoomApi, "list">,
  fresh: (page: Page) => Page,
): Promise<ChatLog> {
  const older = fresh(await api.list({ limit: PAGE_SIZE, before: id }));
  // The message itself is the first that is later.
  const since = older[0]?.createdAt ?? EPOCH;
  const newer = fresh(await api.list({ limit: PAGE_SIZE, since }));
  return {
    entries: [...older.toReversed(), ...newer],
    hasOlder: older.length >= PAGE_SIZE,
    hasNewer: newer.length >= PAGE_SIZE,
  };
}
