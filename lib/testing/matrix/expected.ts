import type { ErrorCode, OperationSpec } from "@/lib/contract";
import type { Access } from "@/lib/contract/access";

/** Who asks, in every cell of the matrix. */
export const callers = [
  "guest",
  "no nickname",
  "outsider",
  "member",
  "admin",
  "owner",
  "global admin",
  "reviewer",
  // A member who was to prove again and did not.
  "lapsed member",
  "revoked token",
] as const;
export type CallerKind = (typeof callers)[number];

/** What kind of topic they ask about. A gated topic is a public one with a gate. */
export const places = ["public", "private", "secret", "gated"] as const;
export type Place = (typeof places)[number];

/** Allowed, or the code of the refusal. */
export type Expected = "allowed" | ErrorCode;

/**
 * What an operation must answer, by rules written down here a second time and not taken from lib/policy: the
 * specification's authentication column and roles, and design/api.md.
 *
 * The post, comment and chat message of a cell were written by the topic's plain member, who is the caller "member".
 */
export function expectedAnswer(op: OperationSpec, who: CallerKind, place: Place): Expected {
  // A bad token is 401 everywhere, guest-readable paths included; where the session is not looked at, nobody has one.
  if (op.auth === "none") return "allowed";
  if (op.auth === "refused") return who === "guest" ? "allowed" : "credentials_not_allowed";
  if (who === "revoked token") return "not_authenticated";
  if (who === "guest") return op.auth === "required" ? "not_authenticated" : asGuest(op.access, place);
  if (who === "no nickname" && op.nickname) return "nickname_required";
  if (who === "lapsed member") return asLapsed(op, place);
  return asUser(op, who === "no nickname" ? "outsider" : who, place);
}

/** They read what outsiders read, leave, and join again with a proof; they wrote nothing in the cell. */
function asLapsed({ access }: OperationSpec, place: Place): Expected {
  switch (access) {
    case "anyone":
    case "signed-in":
    case "topic-visible":
    case "topic-leaver":
      return "allowed";
    case "topic-content":
    case "post-content":
    case "comment-content":
      return place === "public" || place === "gated" ? "allowed" : "reprove_required";
    case "topic-outsider":
    case "topic-invited":
      return place === "gated" ? "proof_required" : "already_member";
    case "post-author":
    case "comment-author":
    case "message-author":
      return "not_the_author";
    case "desk":
    case "operator":
      return "operator_required";
    default:
      return "reprove_required";
  }
}

/** Guests see public and private topics and read public ones; a secret topic is as good as none. */
function asGuest(access: Access, place: Place): Expected {
  const open = place === "public" || place === "gated";
  switch (access) {
    case "anyone":
      return "allowed";
    case "topic-visible":
      return place === "secret" ? "topic_not_found" : "allowed";
    case "topic-content":
      if (place === "secret") return "topic_not_found";
      return open ? "allowed" : "not_authenticated";
    case "post-content":
      if (place === "secret") return "post_not_found";
      return open ? "allowed" : "not_authenticated";
    default:
      return "not_authenticated";
  }
}

type SignedIn = Exclude<CallerKind, "guest" | "no nickname" | "lapsed member" | "revoked token">;
const insiders: readonly SignedIn[] = ["member", "admin", "owner"];
const staff: readonly SignedIn[] = ["admin", "owner"];

function asUser(op: OperationSpec, who: SignedIn, place: Place): Expected {
  const inside = insiders.includes(who);
  const open = place === "public" || place === "gated";
  /** A role that some members have and no outsider. */
  const role = (holders: readonly SignedIn[]): Expected => {
    if (holders.includes(who)) return "allowed";
    return inside ? "role_required" : "not_a_member";
  };
  switch (op.access) {
    case "anyone":
    case "signed-in":
      return "allowed";
    case "desk":
      return who === "global admin" || who === "reviewer" ? "allowed" : "operator_required";
    case "operator":
      return who === "global admin" ? "allowed" : "operator_required";
    case "topic-visible":
      return inside || place !== "secret" ? "allowed" : "topic_secret";
    case "topic-content":
    case "post-content":
    case "comment-content":
      return inside || open ? "allowed" : "not_a_member";
    case "topic-member":
    case "topic-insider":
    case "topic-leaver":
    case "post-member":
    case "post-insider":
    case "comment-member":
    case "message-member":
      return inside ? "allowed" : "not_a_member";
    case "topic-chat":
      return inside ? "allowed" : "topic_not_found";
    // "member" wrote the post of the cell.
    case "post-recorder":
      if (who === "member") return "record_own_post";
      return inside ? "allowed" : "not_a_member";
    case "topic-outsider":
      if (inside) return "already_member";
      if (place === "secret") return "topic_secret";
      return place === "gated" ? "proof_required" : "allowed";
    case "topic-invited":
      if (inside) return "already_member";
      return place === "gated" ? "proof_required" : "allowed";
    case "topic-staff":
    case "post-staff":
      return role(staff);
    case "post-moderator":
    case "comment-moderator":
    case "message-moderator":
      return role([...staff, "global admin"]);
    case "topic-owner":
      return role(["owner"]);
    case "topic-owner-or-global-admin":
      return role(["owner", "global admin"]);
    // "member" wrote the post and the comment of the cell.
    case "post-author":
      if (who === "member" || who === "global admin") return "allowed";
      return inside ? "not_the_author" : "not_a_member";
    case "comment-author":
    case "message-author":
      if (who === "member") return "allowed";
      return inside ? "not_the_author" : "not_a_member";
    case "post-remover":
    case "comment-remover":
    case "message-remover":
      return role(["member", "admin", "owner", "global admin"]);
  }
}

/** Refusals that belong to one person's place in a topic rather than to the rule of the operation. */
export const exceptions: readonly {
  readonly op: string;
  readonly who: CallerKind;
  readonly expected: Expected;
  readonly why: string;
}[] = [
  { op: "topics.leave", who: "owner", expected: "owner_must_transfer", why: "an owner hands over first" },
];
