import { sendAll, syncTag } from "@/lib/client/outbox";
import { scope } from "./scope";

/** Sends what waits when the browser says that the network is back, even with no page open. */
export function listenToOutbox(): void {
  scope().addEventListener("sync", (event) => {
    if (event.tag === syncTag) event.waitUntil(send());
  });
}

/** @throws where a browser should try again */
async function send(): Promise<void> {
  const ended = await sendAll(null);
  if (ended === "offline" || ended === "later") throw new Error(`the outbox is ${ended}`);
}
