import { sql } from "kysely";

/** SQL: whether user `u` has an account that is not suspended. */
export const isActive = (at: Date) => sql<boolean>`(u.deleted_at is null and not exists (
  select from account_sanctions z where z.identity_hash = u.identity_hash
    and z.kind = 'suspend' and (z.until is null or z.until > ${at})))`;
