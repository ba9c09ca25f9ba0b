/// <reference lib="webworker" />
import { syncTag } from "@/lib/client/outbox";
import { sendAll } from "@/lib/client/outbox/send";

declare const self: ServiceWorkerGlobalScope;

/** Background Sync is not in TypeScript's library. */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
}

/** Sends what waits when the browser says that the network is back, even with no page open. */
export function listenToOutbox(): void {
  self.addEventListener("sync", (event) => {
    if (!isSync(event) || event.tag !== syncTag) return;
    event.waitUntil(
      sendAll(null).then((ended) => {
        // A rejection is how a browser is told to try again.
        if (ended === "offline" || ended === "later") throw new Error(`the outbox is ${ended}`);
      }),
    );
  });
}

function isSync(event: Event): event is SyncEvent {
  return "tag" in event && typeof event.tag === "string" && "waitUntil" in event;
}
