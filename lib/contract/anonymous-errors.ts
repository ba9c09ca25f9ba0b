import { LIMITS } from "./limits";

/** Errors of crowds and of what is said anonymously; `errors` has them with all others. */
export const anonymousErrors = {
  credentials_not_allowed: {
    status: 400,
    message: "Anonymous requests must carry no cookie and no authorization header.",
    meaning:
      "An anonymous request says who sends it: by a cookie or an authorization header, which `field` names.",
  },
  membership_invalid: {
    status: 400,
    message: "The proof does not show this act by a member of the crowd.",
    meaning:
      "The proof does not hold for this act and these terms: another text, a slot beyond the limit, an author who is banned, or no proof at all.",
  },
  not_anonymous: { status: 400, message: "This was not written anonymously." },
  anonymous_off: { status: 403, message: "In this topic nothing of this kind can be said anonymously." },
  leaf_taken: {
    status: 409,
    message: "Someone else enrolled this leaf. Make one from a secret of your own.",
  },
  no_former_leaf: {
    status: 409,
    message: "No other leaf of yours was in this crowd, or the new one is not enrolled.",
    meaning: "Enroll the new leaf first; it needs a proof only where another one was in a root before.",
  },
  former_leaf_recent: {
    status: 409,
    message: "Your former leaf went less than a week ago: bans for what it said can still come.",
    meaning: "The proof is taken from a week after the former leaf went. Until then the new one waits.",
  },
  root_not_found: { status: 404, message: "This crowd has no such root." },
  crowd_too_small: {
    status: 409,
    message: "Too few members are in this topic's crowd. One of few is nearly a name.",
    meaning:
      "The root has fewer members than the installation asks for; `minimum` of the terms says how many.",
  },
  terms_expired: {
    status: 409,
    message: "The proof is about terms that no longer hold. Read them again and prove anew.",
    meaning:
      "The terms were read more than two minutes ago, or their root was replaced more than ten minutes ago.",
  },
  slot_used: {
    status: 409,
    message: `This slot was used today. Each of a day's ${LIMITS.anonymous.perDay} counts once.`,
    meaning: "The proof uses a slot of the epoch that another act of the same author used.",
  },
  id_taken: { status: 409, message: "There is a post with this id. Choose another one at random." },
  poll_secret: {
    status: 409,
    message: "This poll takes secret ballots only.",
    meaning: "Votes with a name do not count in it: docs/anonymous.md says how to cast a ballot.",
  },
  poll_named: { status: 409, message: "This poll takes votes with a name, and no secret ballots." },
  ballot_replaced: {
    status: 409,
    message: "A later ballot of the same member counts. Cast this one with a higher counter.",
  },
  ban_list_full: {
    status: 409,
    message: `This topic has ${LIMITS.anonymous.bans} bans of anonymous authors, as many as a proof can rule out. Lift one first.`,
  },
  ban_not_found: { status: 404, message: "There is no such ban, or it ended." },
} as const;
