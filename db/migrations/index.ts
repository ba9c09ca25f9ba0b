import type { Migrations } from "@/lib/sql";
import * as identity from "./001_identity";
import * as community from "./002_community";
import * as excludedCountries from "./003_excluded_countries";
import * as wholeApi from "./004_whole_api";
import * as live from "./005_live";
import * as records from "./006_records";
import * as renewedSessions from "./007_renewed_sessions";
import * as provenSessions from "./008a_proven_sessions";
import * as tagUses from "./009a_tag_uses";
import * as searchScopes from "./009b_search_scopes";
import * as nicknameLooks from "./009c_nickname_looks";
import * as withheldUploads from "./010a_withheld_uploads";
import * as sealedVerifications from "./011a_sealed_verifications";
import * as rememberedIdentities from "./011b_remembered_identities";
import * as usedUploads from "./011c_used_uploads";

/** A static map, so that bundlers carry the migrations along. They run in the order of their names, each once. */
export const migrations: Migrations = {
  "001_identity": identity,
  "002_community": community,
  "003_excluded_countries": excludedCountries,
  "004_whole_api": wholeApi,
  "005_live": live,
  "006_records": records,
  "007_renewed_sessions": renewedSessions,
  "008a_proven_sessions": provenSessions,
  "009a_tag_uses": tagUses,
  "009b_search_scopes": searchScopes,
  "009c_nickname_looks": nicknameLooks,
  "010a_withheld_uploads": withheldUploads,
  "011a_sealed_verifications": sealedVerifications,
  "011b_remembered_identities": rememberedIdentities,
  "011c_used_uploads": usedUploads,
};
