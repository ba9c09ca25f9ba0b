import type { CommunityTables } from "./community";
import type { IdentityTables } from "./identity";

/** Every table of the community database. Identity: who proved what; community: what members do. */
export interface Database extends IdentityTables, CommunityTables {}
