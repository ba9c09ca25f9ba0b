import { reader } from "@/components/offline/state";
import { queueAct } from "@/lib/client/anonymous/entries";
import type { WaitingAct } from "@/lib/client/anonymous/store";
import { beginAnonymous } from "./life";
import { parts } from "./parts";

/** Keeps a text until its moment, and sees to it that it is sent then. @returns false where the browser keeps nothing */
export async function keepAct(act: WaitingAct, isNow: boolean): Promise<boolean> {
  const userId = reader();
  if (!userId) return false;
  try {
    await queueAct(userId, act, isNow, parts);
  } catch {
    return false;
  }
  beginAnonymous(userId);
  return true;
}
