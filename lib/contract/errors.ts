import { anonymousErrors } from "./anonymous-errors";
import { appErrors } from "./app-errors";
import { automationErrors } from "./automation-errors";
import { LIMITS, UPLOAD_MEGABYTES } from "./limits";

interface ErrorEntry {
  readonly status: number;
  /** The sentence for people. A `Refusal` can carry a more specific one. */
  readonly message: string;
  /** The documentation's text, where it says more than `message`. */
  readonly meaning?: string;
}

/** Every error the API can return, by its stable code. `Refusal` (lib/errors.ts) throws them. */
const table = {
  ...anonymousErrors,
  ...automationErrors,
  ...appErrors,
  invalid_request: {
    status: 400,
    message: "The request is invalid.",
    meaning: "The path, query or body breaks a rule; `field` names it.",
  },
  invalid_json: { status: 400, message: "The body is not valid JSON." },
  proof_malformed: {
    status: 400,
    message: "The proof or its public inputs do not have the form this circuit defines.",
  },
  proof_not_canonical: {
    status: 400,
    message: "The proof or a public input is not canonical.",
    meaning:
      "A public input or a word of the proof is not canonical (not below the modulus, a byte word above 255, nonzero padding); `field` names it.",
  },
  unknown_circuit: { status: 400, message: "This community has no verifier for this circuit." },
  proof_invalid: { status: 400, message: "The verifier contract rejected the proof." },
  proof_wrong_scope: {
    status: 400,
    message: "The proof was made for a different community.",
    meaning: "The proof was made for a different application scope.",
  },
  proof_untrusted_issuer: {
    status: 400,
    message: "The identity token or attestation was not signed with a key this community trusts.",
  },
  proof_wrong_audience: {
    status: 400,
    message:
      "The identity token was issued for a different service. Sign in at the provider through this community.",
    meaning: "The identity token was issued to an OAuth client that is not this community's.",
  },
  proof_machine_account: {
    status: 400,
    message: "The identity token belongs to a service account. Sign in with a personal account.",
    meaning:
      "The identity token belongs to a service account. Anyone can create as many of those as they like.",
  },
  proof_stale: {
    status: 400,
    message: "The identity token is too old. Sign in at the provider again.",
    meaning: "The identity token is more than 10 minutes old, or older than the challenge.",
  },
  proof_wrong_challenge: {
    status: 400,
    message: "The proof answers a different challenge, or one that has expired.",
    meaning: "The proof answers a different challenge, or none.",
  },
  proof_wrong_circuit: {
    status: 400,
    message: "This topic requires a different kind of proof.",
    meaning: "This gate, or a sign-in, requires a proof of a different circuit.",
  },
  proof_required: {
    status: 402,
    message: "This topic requires a proof to join.",
    meaning:
      "This gate requires a proof; `proofRequirement` says which (402 on a plain join, 403 on an invite, 400 on creation).",
  },
  topic_gate_unsupported: {
    status: 400,
    message: "This installation cannot verify the proof such a gate requires.",
  },
  nothing_to_change: { status: 400, message: "Name at least one field to change." },
  no_verified_domain: { status: 400, message: "You have not proven a workspace domain in the last 30 days." },
  not_your_upload: {
    status: 400,
    message: "Use an image you uploaded yourself.",
    meaning: "The URL is not in the caller's own upload folder.",
  },
  upload_type: {
    status: 400,
    message: "Images must be PNG, JPEG, GIF or WebP.",
    meaning: "Uploads must be PNG, JPEG, GIF or WebP. The first bytes decide, not the name.",
  },
  upload_damaged: {
    status: 400,
    message: "The image cannot be read.",
    meaning: "The image cannot be read, has too many pixels, or is not the size that was announced.",
  },
  address_not_allowed: { status: 400, message: "Only public http and https URLs are fetched." },
  poll_option_unknown: { status: 400, message: "This option does not belong to the poll." },
  consumer_domain: {
    status: 400,
    message: "Anyone can get an address at this domain. Choose the domain of an organization.",
    meaning: "A consumer email domain cannot gate a topic.",
  },
  not_authenticated: {
    status: 401,
    message: "Not authenticated. Sign in first.",
    meaning: "The session is missing, invalid, expired or revoked.",
  },
  challenge_unknown: { status: 401, message: "The challenge is unknown, used or expired. Start again." },
  nickname_required: { status: 403, message: "Choose a nickname at /profile first." },
  fresh_proof_required: {
    status: 403,
    message:
      "This requires a proof from the last 10 minutes. Sign in again with the same identity, then try again.",
    meaning:
      "An action that cannot be undone requires a session whose proof was verified in the last 10 minutes. Sign in again with a new proof and send the request with the new token.",
  },
  cross_site: {
    status: 403,
    message: "This request came from another site.",
    meaning: "A request with the session cookie must come from this site.",
  },
  role_required: { status: 403, message: "Your role in this topic does not allow this." },
  operator_required: {
    status: 403,
    message: "Only operators of this site can do this.",
    meaning: "The caller has no role on the installation, or one that does not allow this.",
  },
  not_the_author: { status: 403, message: "Only the author can do this." },
  muted: {
    status: 403,
    message: "You are muted in this topic.",
    meaning: "A moderator muted the caller, who can still read.",
  },
  silenced: {
    status: 403,
    message: "An operator of this site silenced your account. You can read, but not write.",
    meaning: "An operator silenced the caller in every topic; `until` and `reason` say for how long and why.",
  },
  suspended: {
    status: 403,
    message: "An operator of this site suspended your account.",
    meaning:
      "An operator suspended the caller's account: `until` and `reason` say for how long and why, `appeal` whom to write to.",
  },
  topic_frozen: {
    status: 403,
    message: "An operator of this site froze this topic. Nobody can write in it or join it.",
  },
  hidden_by_operators: {
    status: 403,
    message: "An operator of this site hid this. Only operators can show it again.",
  },
  own_case: { status: 403, message: "This is about you, so another operator has to do it." },
  banned: { status: 403, message: "You are banned from this topic." },
  new_account_limit: {
    status: 403,
    message: `New accounts can put up to ${LIMITS.newAccount.links} links, ${LIMITS.newAccount.images} images and ${LIMITS.newAccount.mentions} mentions into a text, and create up to ${LIMITS.newAccount.topicsPerDay} topics a day.`,
    meaning:
      "A new account exceeds a limit, which `limit` names. `until` says when the account is old enough, and `acceptedMissing` how many accepted posts or comments it lacks besides.",
  },
  consumer_account: {
    status: 403,
    message:
      "This community does not take new accounts of consumer mail providers. Sign in with the account of an organization.",
  },
  reprove_required: {
    status: 403,
    message: "Your proof for this topic is too old. Prove again to go on reading and writing here.",
    meaning:
      "The topic asks its members to prove again, and the caller has not done so by the date. They join it again, with a new proof, to go on.",
  },
  links_too_early: {
    status: 403,
    message: "In this topic you can post links after some posts or comments without them.",
    meaning:
      "The topic takes links only after a number of accepted posts or comments; `acceptedMissing` says how many are missing.",
  },
  post_hidden: { status: 403, message: "A moderator hid this post. Nothing can be written under it." },
  record_own_post: { status: 403, message: "You cannot record your own post." },
  record_too_new: {
    status: 403,
    message: `A post can be recorded ${LIMITS.record.minAgeMinutes} minutes after it was created.`,
  },
  record_already: { status: 403, message: "You already recorded this post, or its record is pending." },
  record_limit: {
    status: 403,
    message: `You can record ${LIMITS.record.perDay} posts a day. The count resets at midnight UTC.`,
  },
  upload_signature: { status: 403, message: "This upload URL is invalid, expired or already used." },
  not_a_member: { status: 403, message: "Only members of this topic can do this." },
  topic_secret: { status: 403, message: "This topic is secret. You need an invite to join." },
  domain_not_allowed: { status: 403, message: "The domain you proved is not the one this topic requires." },
  country_not_allowed: {
    status: 403,
    message: "Your proof does not rule out a country that this topic does not admit.",
  },
  topic_not_found: {
    status: 404,
    message: "Topic not found.",
    meaning: "The topic does not exist, or is hidden from the caller.",
  },
  post_not_found: {
    status: 404,
    message: "Post not found.",
    meaning: "The post does not exist, or is hidden from the caller.",
  },
  scheduled_not_found: { status: 404, message: "No such post of yours waits for its time." },
  comment_not_found: { status: 404, message: "Comment not found." },
  tag_not_found: { status: 404, message: "Tag not found." },
  message_not_found: { status: 404, message: "This topic has no such message." },
  invite_not_found: { status: 404, message: "This invite is invalid or has expired." },
  user_not_found: { status: 404, message: "This user does not exist, or deleted their account." },
  member_not_found: { status: 404, message: "This user is not a member of the topic." },
  join_request_not_found: { status: 404, message: "This topic has no such join request." },
  report_not_found: { status: 404, message: "There is no such report." },
  note_not_found: { status: 404, message: "There is no such note." },
  offer_not_found: {
    status: 404,
    message: "Nobody is offering you this topic. The offer may have expired or been withdrawn.",
    meaning: "There is no open offer of the topic, or it is made to someone else.",
  },
  sanction_not_found: { status: 404, message: "This user has no such sanction." },
  poll_not_found: { status: 404, message: "This post has no poll." },
  upload_not_found: { status: 404, message: "File not found." },
  proof_request_unknown: {
    status: 404,
    message: "This proof request does not exist or has expired.",
    meaning: "The proof request does not exist, has expired, or belongs to another browser.",
  },
  session_not_found: { status: 404, message: "You have no such session." },
  category_not_found: { status: 400, message: "Category not found." },
  not_found: { status: 404, message: "There is nothing at this address." },
  too_many_blocks: {
    status: 409,
    message: `You can block up to ${LIMITS.blocks} users. Unblock someone first.`,
  },
  draft_changed: {
    status: 409,
    message: "This draft was changed on another device. Load it before you save.",
  },
  too_many_drafts: {
    status: 409,
    message: `You can keep up to ${LIMITS.drafts} drafts. Delete one first.`,
  },
  too_many_scheduled: {
    status: 409,
    message: `Up to ${LIMITS.scheduled.most} posts can wait for their time. Cancel one first.`,
  },
  too_many_follows: {
    status: 409,
    message: `You can follow up to ${LIMITS.follows} users. Unfollow someone first.`,
  },
  already_member: { status: 409, message: "You are already a member of this topic." },
  request_pending: { status: 409, message: "Your request to join is still pending." },
  request_too_soon: {
    status: 403,
    message: "You were rejected or removed in the last 24 hours. Ask again later.",
    meaning: "A rejected or removed user can ask again after 24 hours.",
  },
  proof_used: {
    status: 409,
    message: "This proof was already used. Make a new one.",
    meaning: "This proof, or this identity in this topic, was already used.",
  },
  join_request_decided: { status: 409, message: "This join request was already answered." },
  owner_must_transfer: { status: 409, message: "Transfer the topic before you leave it." },
  owns_topics: {
    status: 409,
    message: "You own topics. Transfer or delete them first.",
    meaning: "The account still owns topics; `topics` lists them.",
  },
  duplicate_text: {
    status: 409,
    message: "You posted the same text less than an hour ago.",
    meaning: "The caller posted the same text less than an hour ago, in any topic; `earlier` names it.",
  },
  post_recorded: { status: 409, message: "This post is recorded on-chain and can no longer change." },
  poll_frozen: {
    status: 409,
    message: "This poll has votes. Its options, and how many can be chosen, can no longer change.",
  },
  poll_closed: { status: 409, message: "This poll is closed." },
  proof_request_answered: { status: 409, message: "This proof request was already answered." },
  idempotency_in_progress: {
    status: 409,
    message:
      "A request with this Idempotency-Key is in progress or ended without an answer. Check whether it took effect before you send it with another key.",
  },
  idempotency_mismatch: { status: 409, message: "This Idempotency-Key was used for a different request." },
  act_not_possible: {
    status: 409,
    message: "This cannot be done to what was reported.",
    meaning:
      "The act of the decision does not fit the kind of what was reported; `acts` of the report lists those that do.",
  },
  hold_not_found: { status: 404, message: "There is no such legal hold, or it was released." },
  upload_blocked: {
    status: 403,
    message: "The operators of this site took this image down. It cannot be uploaded again.",
    meaning: "The image has the same bytes as one that the operators took down.",
  },
  operator_protected: {
    status: 409,
    message: "This user has a role on this site. Revoke it first.",
  },
  tag_exists: { status: 409, message: "There is already a tag with this name." },
  report_claimed: { status: 409, message: "Someone else is working on this report." },
  too_many_notes: {
    status: 409,
    message: `There are already ${LIMITS.moderation.notes} notes about this user. Delete one first.`,
  },
  offer_open: {
    status: 409,
    message: "The topic is already offered to another member. Take that offer back first.",
  },
  case_decided: {
    status: 409,
    message: "Nothing is left to decide here. Someone else may have decided it.",
    meaning: "The case is closed, or the action does not apply to it.",
  },
  operator_configured: {
    status: 409,
    message: "This role comes from the site's configuration and cannot be changed here.",
    meaning: "The user is an operator by ADMIN_USER_IDS.",
  },
  nickname_taken: { status: 409, message: "This nickname, or one that looks the same, is already taken." },
  method_not_allowed: { status: 405, message: "This path does not allow this method." },
  body_too_large: { status: 413, message: "The body is larger than this operation accepts." },
  body_too_slow: {
    status: 408,
    message: "The body arrived too slowly. Try again.",
    meaning: "A body above the usual size arrived too slowly.",
  },
  unsupported_media_type: { status: 415, message: "Send the body with content-type application/json." },
  not_an_image: { status: 415, message: "The URL does not lead to an image of a supported type." },
  upload_too_large: {
    status: 413,
    message: `An image can have up to ${UPLOAD_MEGABYTES} MB, and all your images together up to ${LIMITS.upload.stored / 1_000_000} MB.`,
  },
  too_many_streams: { status: 429, message: "You have too many event streams open. Close one." },
  slow_mode: {
    status: 429,
    message: "This topic is in slow mode. Wait a moment before you write again.",
    meaning: "The topic is in slow mode; `until` and retry-after say when the caller may write again.",
  },
  rate_limited: {
    status: 429,
    message: "Too many requests.",
    meaning: "Too many requests; see retry-after.",
  },
  internal: {
    status: 500,
    message: "Something went wrong on our side.",
    meaning: "Something went wrong on our side; quote the requestId.",
  },
  upstream_failed: { status: 502, message: "The URL could not be fetched." },
  verification_unavailable: {
    status: 503,
    message: "The proof cannot be verified right now. Nothing was used up; try again.",
    meaning: "The chain could not be reached. Nothing was used up; try again.",
  },
  record_unavailable: {
    status: 503,
    message: "Posts cannot be recorded on-chain right now. Nothing was used up.",
    meaning:
      "The chain could not take the record, or this installation has no record board. Nothing was used up.",
  },
  push_unavailable: { status: 503, message: "This installation sends no push messages." },
  not_ready: { status: 503, message: "A part of the service is not ready." },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof table;

export const errors: Readonly<Record<ErrorCode, ErrorEntry>> = table;

/** Returns whether the API documents this code. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(table, code);
}

export const errorCodes = Object.keys(table).filter(isErrorCode);

/** Returns the documentation's text for a code. */
export function meaningOf(code: ErrorCode): string {
  return errors[code].meaning ?? errors[code].message;
}
