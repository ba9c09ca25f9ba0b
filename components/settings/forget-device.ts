import { forgetEntriesOf } from "@/lib/client/outbox";
import { forgetSaved } from "@/lib/client/saved";

/** Beginnings of the names of what was written or read here. Payments and wallets are not among them: they are money. */
const personal = ["parley.draft.", "parley.chat."] as const;

/** Removes what this device keeps of an account that is no more: saved pages, what waits to be sent, drafts. */
export async function forgetDevice(userId: string): Promise<void> {
  // Each on its own: a browser that refuses one kind of storage may hold the others.
  await Promise.allSettled([forgetSaved(), forgetEntriesOf(userId)]);
  try {
    for (const key of Object.keys(localStorage)) {
      if (personal.some((prefix) => key.startsWith(prefix))) localStorage.removeItem(key);
    }
  } catch {
    // Storage that cannot be read holds nothing of ours.
  }
}
