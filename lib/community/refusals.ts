import type { ErrorCode } from "@/lib/contract/errors";
import { Refusal, type RefusalDetails } from "@/lib/errors";
import type { Verdict } from "@/lib/policy/verdict";

/** The sentence people read, for refusals that are said in more than one place. */
const sentences: Partial<Record<ErrorCode, string>> = {
  not_authenticated: "Not authenticated: sign in first.",
  fresh_proof_required:
    "This takes a proof of the last 10 minutes: sign in again with the same identity, then do it once more.",
  not_a_member: "Only members of this topic may do this.",
  role_required: "Your role in this topic does not allow this.",
  not_the_author: "Only its author may do this.",
  muted: "You are muted in this topic.",
  banned: "You are banned from this topic.",
  post_hidden: "This post was hidden by the topic's staff; nothing can be written under it.",
  nothing_to_change: "Name at least one field to change.",
  owner_must_transfer: "Hand the topic over before you leave it.",
  join_request_not_found: "There is no such request in this topic.",
  join_request_decided: "This request was answered already.",
  report_not_found: "There is no such report in this topic.",
  sanction_not_found: "This user is neither muted nor banned here in this way.",
  member_not_found: "Nobody with this id is a member of this topic.",
  topic_secret: "This topic is secret: it is entered by invite only.",
  topic_not_found: "There is no such topic.",
  post_not_found: "There is no such post.",
  comment_not_found: "There is no such comment.",
  post_recorded: "This post was recorded on-chain and cannot change any more.",
  poll_not_found: "This post has no poll.",
  poll_closed: "This poll is closed.",
  poll_frozen: "Somebody has voted: options, and how many may be chosen, stay as they are.",
  poll_option_unknown: "This option does not belong to the poll.",
  invite_not_found: "This invite is not valid, or not any more.",
  category_not_found: "There is no such category.",
  already_member: "You are already a member of this topic.",
  request_pending: "Your request to join is already waiting for an answer.",
  request_too_soon: "You were rejected or removed here in the last 24 hours; ask again later.",
  proof_required: "This topic is entered with a proof.",
  proof_used: "This identity has already entered the topic under another account.",
  proof_wrong_circuit: "This topic asks for another kind of proof.",
  domain_not_allowed: "The domain you proved is not the one this topic asks for.",
  country_not_allowed: "Your proof leaves a country possible that this topic does not admit.",
  not_your_upload: "Only images you uploaded yourself can be named here.",
  no_verified_domain: "You have proven no workspace domain in the last 30 days.",
  owns_topics: "You own topics: hand them over or delete them first.",
  consumer_domain: "Anybody can have an address there: choose the domain of an organisation.",
};

/** A refusal with its usual sentence. */
export function refusal(code: ErrorCode, details?: RefusalDetails): Refusal {
  return new Refusal(code, sentences[code] ?? "This is not possible.", details);
}

/** @throws Refusal unless the rule says allowed. */
export function demand(verdict: Verdict): void {
  if (verdict !== "allowed") throw refusal(verdict);
}
