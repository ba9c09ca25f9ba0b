import type { Migrations, Release } from "@/lib/sql";
import * as identity from "./001_create_identities";
import * as community from "./002_create_topics_and_posts";
import * as excludedCountries from "./003_add_excluded_countries";
import * as wholeApi from "./004_add_moderation_and_uploads";
import * as live from "./005_add_chat_and_notifications";
import * as records from "./006_add_onchain_records";
import * as renewedSessions from "./007_track_session_renewals";
import * as provenSessions from "./008_track_session_proofs";
import * as tagUses from "./009_move_tag_spellings_to_posts";
import * as searchScopes from "./010_split_search_by_scope";
import * as nicknameLooks from "./011_reserve_lookalike_nicknames";
import * as withheldUploads from "./012_withhold_hidden_uploads";
import * as sealedVerifications from "./013_seal_verifications";
import * as rememberedIdentities from "./014_remember_withdrawn_identities";
import * as usedUploads from "./015_mark_used_uploads";
import * as counterDeltas from "./016_add_counter_deltas";
import * as chatChanges from "./017_extend_chat";
import * as reportEverything from "./018_report_everything";
import * as operators from "./019_add_operators_and_installation_log";
import * as blocksAndMutes from "./020_add_blocks_and_mutes";
import * as notificationSettings from "./021_add_notification_settings";
import * as trustLimits from "./022_add_trust_limits";
import * as gateFreshness from "./023_add_gate_freshness";
import * as takeDowns from "./024_add_take_downs_and_legal_holds";
import * as staffTools from "./025_add_staff_tools";
import * as numberedPosts from "./026_number_posts";
import * as numberedComments from "./027_number_comments";
import * as positionIndexes from "./028_index_positions";
import * as readMarks from "./029_add_read_marks";
import * as logTargetsAndGates from "./030_index_log_targets_and_gates";
import * as limitedBadges from "./031_add_limited_badges";
import * as joinByProof from "./032_let_topics_join_by_proof";
import * as commentVotes from "./033_add_comment_votes";
import * as follows from "./034_add_follows";
import * as digests from "./035_add_digests";
import * as watches from "./036_add_watches";
import * as topicBanners from "./037_add_topic_banners";
import * as drafts from "./038_add_drafts";
import * as crowds from "./039_add_crowds";
import * as anonymousActs from "./040_add_anonymous_acts";
import * as secretBallots from "./041_add_secret_ballots";
import * as anonymousPictures from "./042_add_anonymous_pictures";
import * as automation from "./043_add_automation";
import * as webhooks from "./044_add_webhooks";
import * as apps from "./045_add_apps";

/** A static map, so that bundlers include the migrations. They run in the order of their names, each once. */
export const migrations: Migrations = {
  "001_create_identities": identity,
  "002_create_topics_and_posts": community,
  "003_add_excluded_countries": excludedCountries,
  "004_add_moderation_and_uploads": wholeApi,
  "005_add_chat_and_notifications": live,
  "006_add_onchain_records": records,
  "007_track_session_renewals": renewedSessions,
  "008_track_session_proofs": provenSessions,
  "009_move_tag_spellings_to_posts": tagUses,
  "010_split_search_by_scope": searchScopes,
  "011_reserve_lookalike_nicknames": nicknameLooks,
  "012_withhold_hidden_uploads": withheldUploads,
  "013_seal_verifications": sealedVerifications,
  "014_remember_withdrawn_identities": rememberedIdentities,
  "015_mark_used_uploads": usedUploads,
  "016_add_counter_deltas": counterDeltas,
  "017_extend_chat": chatChanges,
  "018_report_everything": reportEverything,
  "019_add_operators_and_installation_log": operators,
  "020_add_blocks_and_mutes": blocksAndMutes,
  "021_add_notification_settings": notificationSettings,
  "022_add_trust_limits": trustLimits,
  "023_add_gate_freshness": gateFreshness,
  "024_add_take_downs_and_legal_holds": takeDowns,
  "025_add_staff_tools": staffTools,
  "026_number_posts": numberedPosts,
  "027_number_comments": numberedComments,
  "028_index_positions": positionIndexes,
  "029_add_read_marks": readMarks,
  "030_index_log_targets_and_gates": logTargetsAndGates,
  "031_add_limited_badges": limitedBadges,
  "032_let_topics_join_by_proof": joinByProof,
  "033_add_comment_votes": commentVotes,
  "034_add_follows": follows,
  "035_add_digests": digests,
  "036_add_watches": watches,
  "037_add_topic_banners": topicBanners,
  "038_add_drafts": drafts,
  "039_add_crowds": crowds,
  "040_add_anonymous_acts": anonymousActs,
  "041_add_secret_ballots": secretBallots,
  "042_add_anonymous_pictures": anonymousPictures,
  "043_add_automation": automation,
  "044_add_webhooks": webhooks,
  "045_add_apps": apps,
};

/** Names that releases before 0.2.0 recorded. */
export const renamedMigrations: Readonly<Record<string, string>> = {
  "001_identity": "001_create_identities",
  "002_community": "002_create_topics_and_posts",
  "003_excluded_countries": "003_add_excluded_countries",
  "004_whole_api": "004_add_moderation_and_uploads",
  "005_live": "005_add_chat_and_notifications",
  "006_records": "006_add_onchain_records",
  "007_renewed_sessions": "007_track_session_renewals",
  "008a_proven_sessions": "008_track_session_proofs",
  "009a_tag_uses": "009_move_tag_spellings_to_posts",
  "009b_search_scopes": "010_split_search_by_scope",
  "009c_nickname_looks": "011_reserve_lookalike_nicknames",
  "010a_withheld_uploads": "012_withhold_hidden_uploads",
  "011a_sealed_verifications": "013_seal_verifications",
  "011b_remembered_identities": "014_remember_withdrawn_identities",
  "011c_used_uploads": "015_mark_used_uploads",
};

/** What this release brings the community's database to. */
export const communityRelease: Release = {
  program: "community",
  migrations,
  renamed: renamedMigrations,
};
