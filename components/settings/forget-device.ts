import { forgetDrafts } from "@/lib/client/drafts";
import { forgetEntriesOf } from "@/lib/client/outbox";
import { forgetSaved } from "@/lib/client/saved";

/**
 * Removes what this device keeps of an account that is no more: saved pages, what waits to be sent, drafts. Payments and
 * wallets stay: they are money.
 */
export async function forgetDevice(userId: string): Promise<void> {
  // Each on its own: a browser that refuses one kind of storage may hold the others.
  await Promise.allSettled([forgetSaved(), forgetEntriesOf(userId)]);
  forgetDrafts();
}
