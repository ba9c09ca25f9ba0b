import type { Kysely, Transaction } from "kysely";
import type { AnonymousTables } from "./anonymous";
import type { CommunityTables } from "./community";
import type { CrowdTables } from "./crowds";
import type { DeskTables } from "./desk";
import type { IdentityTables } from "./identity";
import type { LiveTables } from "./live";
import type { MemberTables } from "./members";
import type { ModerationTables } from "./moderation";
import type { RecordTables } from "./records";

/** Every table of the community database. Identity: who proved what; community: what members do. */
export interface Database
  extends IdentityTables,
    CommunityTables,
    ModerationTables,
    DeskTables,
    LiveTables,
    MemberTables,
    RecordTables,
    CrowdTables,
    AnonymousTables {}

/** Queries the community database; also accepts a transaction. */
export type Db = Kysely<Database>;

/** An open transaction of the community database. */
export type Trx = Transaction<Database>;
