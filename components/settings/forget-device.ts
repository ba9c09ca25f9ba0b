import { forgetDrafts } from "@/lib/client/drafts";
import { forgetEntriesOf } from "@/lib/client/outbox";
import { forgetSaved } from "@/lib/client/saved";

/** Removes a deleted account's saved pages, unsent entries and drafts from this device. Payments and wallets stay. */
export async function forgetDevice(userId: string): Promise<void> {
  // Independently: a browser that blocks one kind of storage may allow the other.
  await Promise.allSettled([forgetSaved(), forgetEntriesOf(userId)]);
  forgetDrafts();
}
