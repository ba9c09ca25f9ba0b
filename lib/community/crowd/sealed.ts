import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { sealedSeconds } from "@/lib/contract/sealed";

/** Of one member, so that nobody else finds it or puts another thing in its place. */
const keyOf = (userId: string, id: string) => `sealed:${userId}:${id}`;

/** PUT /api/me/sealed */
export const leaveSealed: Handler<typeof contract.sealed.leave> = async (
  { cache, caller },
  { id, sealed },
) => {
  await cache.set(keyOf(caller.userId, id), sealed, sealedSeconds);
  return { success: true };
};

/** GET /api/me/sealed */
export const takeSealed: Handler<typeof contract.sealed.take> = async ({ cache, caller }, { id }) => ({
  sealed: await cache.get(keyOf(caller.userId, id)),
});
