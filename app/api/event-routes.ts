import { contract } from "@/lib/contract";
import type { EventRoute } from "@/lib/http/event-server";
import { GET as myEvents } from "./me/events/route";
import { GET as chat } from "./topics/[topicId]/chat/subscribe/route";

/** The routes that answer event streams: carried past Next (lib/http/event-server.ts). */
export const eventRoutes: readonly EventRoute[] = [
  { op: contract.chat.subscribe, handle: chat },
  { op: contract.my.events, handle: myEvents },
];
