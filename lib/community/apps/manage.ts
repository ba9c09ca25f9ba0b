import type { Selectable } from "kysely";
import type { Database, Db } from "@/db/schema";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract } from "@/lib/contract";
import type { App } from "@/lib/contract/apps";
import { LIMITS } from "@/lib/contract/limits";
import { Refusal } from "@/lib/errors";
import { transact } from "@/lib/sql/transact";
import { lockLive } from "../topics/membership";

/** GET /api/apps */
export const listApps: Handler<typeof contract.apps.list> = async ({ caller, db }) => ({
  apps: await appsOf(db, caller.userId),
});

/** Returns the apps of a user, latest first. */
export async function appsOf(db: Db, userId: string): Promise<App[]> {
  const rows = await db
    .selectFrom("apps")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .orderBy("client_id")
    .execute();
  return rows.map(appOf);
}

function appOf(row: Selectable<Database["apps"]>): App {
  return {
    clientId: row.client_id,
    name: row.name,
    kind: row.kind,
    redirectUris: row.redirect_uris,
    createdAt: row.created_at.toISOString(),
  };
}

/** POST /api/apps @throws Refusal too_many_apps */
export const createApp: Handler<typeof contract.apps.create> = async (ctx, { name, kind, redirectUris }) => {
  const { caller, db, now, apps } = ctx;
  const row = await transact(db, async (trx) => {
    // Two at once take turns here.
    await lockLive(trx, caller.userId);
    const existing = await trx
      .selectFrom("apps")
      .select("client_id")
      .where("user_id", "=", caller.userId)
      .execute();
    if (existing.length >= LIMITS.apps.most) throw new Refusal("too_many_apps");
    return await trx
      .insertInto("apps")
      .values({
        ...{ user_id: caller.userId, name, kind },
        ...{ redirect_uris: [...new Set(redirectUris)], created_at: now() },
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  const clientSecret = kind === "server" ? apps.secretOf(row.client_id, row.secret_version) : null;
  return { app: appOf(row), clientSecret };
};

/** POST /api/apps/{clientId}/secret @throws Refusal app_not_found, also for an app that has no secret */
export async function renewAppSecret(
  { caller, db, apps }: MemberContext,
  { clientId }: { readonly clientId: string },
) {
  const row = await db
    .updateTable("apps")
    .set((eb) => ({ secret_version: eb("secret_version", "+", 1) }))
    .where("client_id", "=", clientId)
    .where("user_id", "=", caller.userId)
    .where("kind", "=", "server")
    .returning("secret_version")
    .executeTakeFirst();
  if (!row) throw new Refusal("app_not_found");
  return { clientSecret: apps.secretOf(clientId, row.secret_version) };
}

/** DELETE /api/apps/{clientId} @throws Refusal app_not_found, for those of others except to operators */
export const deleteApp: Handler<typeof contract.apps.delete> = async ({ caller, db }, { clientId }) => {
  const deleted = await db
    .deleteFrom("apps")
    .where("client_id", "=", clientId)
    .$if(caller.operator !== "operator", (query) => query.where("user_id", "=", caller.userId))
    .executeTakeFirst();
  if (deleted.numDeletedRows === 0n) throw new Refusal("app_not_found");
  return { success: true };
};
