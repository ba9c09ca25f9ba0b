import type { Caller } from "@/lib/context/caller";
import type { Topic } from "@/lib/contract";
import { ABILITIES } from "@/lib/contract/abilities";
import { allowedOf } from "@/lib/policy/decision";
import { topicAccess } from "@/lib/policy/topic";
import { viewerOf } from "../viewer";
import type { TopicRow } from "./load";

/** A topic as this caller may see it. Only for topics the policy lets them see. */
export function topicView(row: TopicRow, caller: Caller | null): Topic {
  const access = topicAccess(row, viewerOf(caller, row));
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    creatorId: row.creator_id,
    requiresCountryProof: row.proof_type === "country",
    allowedCountries: row.allowed_countries,
    excludedCountries: row.excluded_countries,
    proofType: row.proof_type,
    requiredDomain: row.required_domain,
    inviteCode: access.seeInviteCode ? row.invite_code : null,
    visibility: row.visibility,
    image: row.image,
    score: row.score,
    lastActivityAt: row.last_activity_at.toISOString(),
    categoryId: row.category_id,
    category:
      row.category_id && row.category_name && row.category_slug
        ? { id: row.category_id, name: row.category_name, slug: row.category_slug, icon: row.category_icon }
        : null,
    memberCount: row.member_count,
    postCount: row.post_count,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    abilities: allowedOf(ABILITIES.topic, access),
  };
}
