import { z } from "zod";

/**
 * Every error the API can answer: stable code -> status and what it means. The sentence for people is written
 * where the error is thrown; docs and OpenAPI list these.
 */
export const errors = {
  invalid_request: { status: 400, meaning: "The path, query or body breaks a rule; `field` names it." },
  invalid_json: { status: 400, meaning: "The body is not valid JSON." },
  proof_malformed: { status: 400, meaning: "The proof or its public inputs are not of the circuit's form." },
  proof_not_canonical: {
    status: 400,
    meaning:
      "A public input or a word of the proof is not canonical (above the modulus, a byte word above 255, a dirty tail); `field` names it.",
  },
  unknown_circuit: { status: 400, meaning: "No verifier is configured for this circuit." },
  proof_invalid: { status: 400, meaning: "The configured verifier contract says the proof does not hold." },
  proof_wrong_scope: { status: 400, meaning: "The proof was made for another application scope." },
  proof_untrusted_issuer: {
    status: 400,
    meaning: "The identity token or attestation was signed by a key that is not trusted here.",
  },
  proof_wrong_audience: {
    status: 400,
    meaning: "The identity token was made for an OAuth client that is not this community's.",
  },
  proof_machine_account: {
    status: 400,
    meaning: "The identity token is a service account's, of which anybody can make as many as they like.",
  },
  proof_stale: { status: 400, meaning: "The identity token is too old, or older than the challenge." },
  proof_wrong_challenge: { status: 400, meaning: "The proof answers another challenge, or none." },
  proof_wrong_circuit: {
    status: 400,
    meaning: "This gate, or a sign-in, takes a proof of another circuit.",
  },
  proof_required: {
    status: 402,
    meaning:
      "This gate needs a proof; `proofRequirement` says which (402 on a plain join, 403 on an invite, 400 on creation).",
  },
  topic_gate_unsupported: {
    status: 400,
    meaning: "This installation has no verifier for the circuit of such a gate.",
  },
  nothing_to_change: { status: 400, meaning: "The body names no field to change." },
  no_verified_domain: {
    status: 400,
    meaning: "No unexpired workspace verification of the caller names a domain.",
  },
  not_your_upload: { status: 400, meaning: "The address does not lie under the caller's own upload folder." },
  upload_type: { status: 400, meaning: "Uploads are PNG, JPEG, GIF or WebP, told by their first bytes." },
  upload_damaged: { status: 400, meaning: "The image cannot be read, or is larger than its file suggests." },
  address_not_allowed: { status: 400, meaning: "Only public http and https addresses are fetched." },
  poll_option_unknown: { status: 400, meaning: "The option does not belong to this poll." },
  consumer_domain: { status: 400, meaning: "Consumer mail domains cannot gate a topic." },
  not_authenticated: { status: 401, meaning: "Missing, invalid, expired or revoked session." },
  challenge_unknown: { status: 401, meaning: "The challenge is unknown, used or expired." },
  nickname_required: { status: 403, meaning: "Choose a nickname at /profile first." },
  fresh_proof_required: {
    status: 403,
    meaning:
      "What cannot be undone takes a session whose proof was verified in the last 10 minutes: sign in again with a new proof and send the request with the new token.",
  },
  cross_site: { status: 403, meaning: "A request carrying the session cookie must come from this site." },
  role_required: { status: 403, meaning: "The caller's role in the topic does not reach for this." },
  not_the_author: { status: 403, meaning: "Only its author may do this." },
  muted: { status: 403, meaning: "The topic's staff muted the caller; reading goes on." },
  banned: { status: 403, meaning: "The topic's staff banned the caller." },
  post_hidden: { status: 403, meaning: "The topic's staff hid this post; nothing is written under it." },
  record_own_post: { status: 403, meaning: "Nobody records their own post." },
  record_too_new: { status: 403, meaning: "A post is recorded once it is an hour old." },
  record_already: { status: 403, meaning: "The caller recorded this post already, or is about to." },
  record_limit: { status: 403, meaning: "Three records a day (UTC) and person." },
  upload_signature: { status: 403, meaning: "The upload address is not one we signed, or not any more." },
  not_a_member: { status: 403, meaning: "Only members of the topic may do this." },
  topic_secret: { status: 403, meaning: "A secret topic is entered by invite only." },
  domain_not_allowed: { status: 403, meaning: "The proven domain is not the one this topic asks for." },
  country_not_allowed: {
    status: 403,
    meaning: "The proof leaves a country possible that the topic does not admit.",
  },
  topic_not_found: { status: 404, meaning: "No such topic, or it is hidden from the caller." },
  post_not_found: { status: 404, meaning: "No such post, or it is hidden from the caller." },
  comment_not_found: { status: 404, meaning: "No such comment." },
  message_not_found: { status: 404, meaning: "No such message in this topic." },
  invite_not_found: { status: 404, meaning: "The invite code or token is not valid (any more)." },
  member_not_found: { status: 404, meaning: "Nobody with this id is a member of the topic." },
  join_request_not_found: { status: 404, meaning: "No such join request in this topic." },
  report_not_found: { status: 404, meaning: "No such report in this topic." },
  sanction_not_found: { status: 404, meaning: "This user is neither muted nor banned here in this way." },
  poll_not_found: { status: 404, meaning: "The post has no poll." },
  upload_not_found: { status: 404, meaning: "No such file." },
  proof_request_unknown: {
    status: 404,
    meaning: "The proof request is unknown, expired, or belongs to another browser.",
  },
  session_not_found: { status: 404, meaning: "The caller has no such session." },
  category_not_found: { status: 400, meaning: "No such category." },
  not_found: { status: 404, meaning: "No such path." },
  already_member: { status: 409, meaning: "The caller is already a member." },
  request_pending: { status: 409, meaning: "A join request is already waiting." },
  request_too_soon: { status: 403, meaning: "A rejected or removed user may ask again after 24 hours." },
  proof_used: { status: 409, meaning: "This proof, or this identity in this topic, was used before." },
  join_request_decided: { status: 409, meaning: "The join request was answered already." },
  owner_must_transfer: { status: 409, meaning: "An owner hands the topic over before leaving it." },
  owns_topics: { status: 409, meaning: "The account still owns topics; `topics` lists them." },
  post_recorded: { status: 409, meaning: "The post was recorded on-chain and cannot change any more." },
  poll_frozen: { status: 409, meaning: "Somebody voted: the poll's options cannot change any more." },
  poll_closed: { status: 409, meaning: "The poll is closed." },
  proof_request_answered: { status: 409, meaning: "The proof request was answered already." },
  idempotency_in_progress: {
    status: 409,
    meaning: "A request with this Idempotency-Key is under way, or ended without an answer.",
  },
  idempotency_mismatch: {
    status: 409,
    meaning: "This Idempotency-Key was used for another request.",
  },
  nickname_taken: { status: 409, meaning: "Somebody else has this nickname." },
  method_not_allowed: { status: 405, meaning: "The path does not know this method." },
  body_too_large: { status: 413, meaning: "The body is larger than this operation takes." },
  body_too_slow: { status: 408, meaning: "A body beyond the usual size came too slowly." },
  unsupported_media_type: { status: 415, meaning: "Bodies are application/json." },
  not_an_image: { status: 415, meaning: "What stands at the address is not an image we pass on." },
  upload_too_large: {
    status: 413,
    meaning: "An upload has at most 10 MB, all of a member's together 500 MB.",
  },
  too_many_streams: { status: 429, meaning: "The caller has as many event streams open as one may have." },
  rate_limited: { status: 429, meaning: "Too many requests; see retry-after." },
  internal: { status: 500, meaning: "Our fault; quote the requestId." },
  upstream_failed: { status: 502, meaning: "The address could not be fetched." },
  verification_unavailable: {
    status: 503,
    meaning: "The chain could not be asked; nothing was used up, try again.",
  },
  record_unavailable: {
    status: 503,
    meaning: "The chain could not take the record, or there is no record board here; nothing was used up.",
  },
  push_unavailable: { status: 503, meaning: "This installation sends no push messages." },
  not_ready: { status: 503, meaning: "A part of the service is not ready." },
} as const satisfies Record<string, { status: number; meaning: string }>;

export type ErrorCode = keyof typeof errors;

const codes = Object.keys(errors).filter((k): k is ErrorCode => k in errors);

/** Body of every error response. */
export const errorBodySchema = z.object({
  /** A sentence for people. */
  error: z.string(),
  code: z.enum(codes),
  requestId: z.string(),
  /** The field that broke a rule, as a path like `poll.options.0`. */
  field: z.string().optional(),
  /** With code proof_required; see proof-requirement.ts. */
  proofRequirement: z.unknown().optional(),
  /** With code muted or banned: when it ends, or null when it does not by itself. */
  until: z.iso.datetime().nullable().optional(),
  /** With code owns_topics. */
  topics: z.array(z.object({ id: z.uuid(), title: z.string() })).optional(),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;
