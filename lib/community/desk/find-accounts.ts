import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { assertAllowed } from "@/lib/policy/decision";
import { deskAccess } from "@/lib/policy/desk";
import { prefixPattern } from "../text-search";

const MAX_MATCHES = 10;

/**
 * GET /api/desk/accounts: accounts by the start of their nickname, in any case, or by user id.
 * @throws Refusal operator_required
 */
export const findAccounts: Handler<typeof contract.desk.accounts> = async (
  { caller, db, adminUserIds },
  { q },
) => {
  assertAllowed(deskAccess(caller.operator).review);
  const pattern = prefixPattern(q);
  const rows = await db
    .selectFrom("users as u")
    .leftJoin("operators as o", "o.user_id", "u.id")
    .select(["u.id", "u.nickname", "u.profile_image", "o.role"])
    .where("u.deleted_at", "is", null)
    .where((eb) =>
      pattern ? eb.or([eb("u.nickname_key", "like", pattern), eb("u.id", "=", q)]) : eb("u.id", "=", q),
    )
    .orderBy("u.nickname_key")
    .limit(MAX_MATCHES)
    .execute();
  return {
    accounts: rows.map((row) => ({
      userId: row.id,
      nickname: row.nickname,
      profileImage: row.profile_image,
      role: adminUserIds.has(row.id) ? "operator" : row.role,
    })),
  };
};
