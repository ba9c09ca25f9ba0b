import { contract } from "@/lib/contract";
import type { EventRoute } from "@/lib/http/endpoint";
import { GET as myEvents } from "./me/events/route";
import { GET as chat } from "./topics/[topicId]/chat/subscribe/route";

/** The routes that answer event streams: the entry server carries them past Next (lib/server/event-streams.ts). */
export const eventRoutes: readonly EventRoute[] = [
  { op: contract.chat.subscribe, handle: chat },
  { op: contract.my.events, handle: myEvents },
];
