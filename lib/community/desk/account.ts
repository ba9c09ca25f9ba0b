import type { Trx } from "@/db/schema";
import { Refusal } from "@/lib/errors";

/** An account that an operator acts on. */
export interface LockedAccount {
  readonly id: string;
  /** Of its sign-in. */
  readonly identityHash: string;
}

/** Locks an account, where the acts of operators on it queue. @throws Refusal user_not_found, also if it was withdrawn */
export async function lockAccount(trx: Trx, userId: string): Promise<LockedAccount> {
  const user = await trx
    .selectFrom("users")
    .select(["id", "identity_hash"])
    .where("id", "=", userId)
    .where("deleted_at", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!user?.identity_hash) throw new Refusal("user_not_found", { field: "userId" });
  return { id: user.id, identityHash: user.identity_hash };
}
