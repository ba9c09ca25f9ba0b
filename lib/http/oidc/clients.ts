import type { ClientMetadata } from "oidc-provider";
import { z } from "zod";
import type { Context } from "@/lib/context";
import { isActive } from "@/lib/session/active";

/** Returns an app as an OpenID Connect client; undefined for none, and while its owner is suspended. */
export async function clientMetadata(
  { db, apps, now }: Pick<Context, "db" | "apps" | "now">,
  clientId: string,
): Promise<ClientMetadata | undefined> {
  if (!z.uuid().safeParse(clientId).success) return undefined;
  const row = await db
    .selectFrom("apps")
    .innerJoin("users as u", "u.id", "apps.user_id")
    .selectAll("apps")
    .where("client_id", "=", clientId)
    .where(isActive(now()))
    .executeTakeFirst();
  if (!row) return undefined;
  const isServer = row.kind === "server";
  return {
    client_id: row.client_id,
    client_name: row.name,
    redirect_uris: row.redirect_uris,
    grant_types: ["authorization_code"],
    response_types: ["code"],
    subject_type: "pairwise",
    id_token_signed_response_alg: "RS256",
    token_endpoint_auth_method: isServer ? "client_secret_basic" : "none",
    ...(isServer && { client_secret: apps.secretOf(row.client_id, row.secret_version) }),
  };
}

/** Returns whether a user may be told about: they exist and are not suspended. */
export async function isAllowedUser(
  { db, now }: Pick<Context, "db" | "now">,
  userId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom("users as u")
    .select("u.id")
    .where("u.id", "=", userId)
    .where(isActive(now()))
    .executeTakeFirst();
  return row !== undefined;
}
