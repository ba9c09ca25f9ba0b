import type { Visibility } from "@/db/schema/community";
import type { Ability } from "@/lib/contract/abilities";
import { ANONYMOUS_ID } from "@/lib/contract/anonymous-author";
import type { Role } from "@/lib/contract/common";
import { type Decision, isStaff, type Viewer } from "./decision";

export interface TopicAccess {
  /** See the topic itself: title, description, gate, counts. */
  readonly see: Decision;
  /** Read its posts and comments. */
  readonly readContent: Decision;
  /** See the members and the staff's log: any member. */
  readonly inside: Decision;
  /** Leave it: any member, also one who has to prove again. */
  readonly leave: Decision;
  /** Read the chat's history: like `inside`, but for others the spec answers 404 (GET chat). */
  readonly readChat: Decision;
  /** Post, comment, vote, react, invite: members who are not muted. */
  readonly write: Decision;
  /** Join without an invite, before the gate is checked; for members, prove again once that is due. */
  readonly join: Decision;
  /** Handle requests, reports, sanctions, pins and hiding: owner and admins. */
  readonly moderate: Decision;
  /** Edit the topic and assign roles: the owner. */
  readonly edit: Decision;
  /** Delete the topic: the owner, or an operator. */
  readonly delete: Decision;
  /** Report it: anyone signed in who may see it. */
  readonly report: Decision;
  readonly seeInviteCode: boolean;
}

/**
 * Decides what a caller may see of a topic and do in it. Every read and write goes through this rule
 * (spec, GET /api/topics/{topicId} and Posts; design/api.md, Topics).
 *
 * A guest cannot tell a secret topic from one that does not exist. A signed-in outsider can, since the spec answers
 * 403 there. Global admins read like everyone else: the spec lets them edit and delete, but not enter.
 */
export function topicAccess(topic: { readonly visibility: Visibility }, viewer: Viewer): TopicAccess {
  const { role, signedIn } = viewer;
  const needsRole = (allowed: boolean): Decision => {
    if (!signedIn) return "not_authenticated";
    if (allowed) return "allowed";
    return role ? "role_required" : "not_a_member";
  };
  const staff = {
    moderate: needsRole(isStaff(role)),
    edit: needsRole(role === "owner"),
    delete: needsRole(role === "owner" || viewer.isAdmin),
  };
  if (role && viewer.proof === "lapsed") return lapsedAccess(topic, viewer);
  if (role) {
    return {
      see: "allowed",
      readContent: "allowed",
      inside: "allowed",
      leave: "allowed",
      readChat: "allowed",
      write: viewer.muted ? "muted" : "allowed",
      join: viewer.proof === "due" ? "allowed" : "already_member",
      ...staff,
      report: "allowed",
      seeInviteCode: true,
    };
  }
  const outside: Decision = signedIn ? "not_a_member" : "not_authenticated";
  const enter: Decision = signedIn ? "allowed" : "not_authenticated";
  const readChat: Decision = signedIn ? "topic_not_found" : "not_authenticated";
  const common = { inside: outside, leave: outside, readChat, write: outside, ...staff, report: enter };
  switch (topic.visibility) {
    case "public":
      return { see: "allowed", readContent: "allowed", join: enter, ...common, seeInviteCode: true };
    case "private":
      return { see: "allowed", readContent: outside, join: enter, ...common, seeInviteCode: false };
    case "secret":
      return {
        see: signedIn ? "topic_secret" : "topic_not_found",
        readContent: signedIn ? "not_a_member" : "topic_not_found",
        join: signedIn ? "topic_secret" : "not_authenticated",
        ...common,
        report: signedIn ? "topic_secret" : "not_authenticated",
        seeInviteCode: false,
      };
  }
}

/**
 * Decides what a member may do whose proof is too old: what outsiders may read, leave, and prove again by joining.
 * Staff keep their role but not its rights, except that the owner may delete the topic.
 */
function lapsedAccess({ visibility }: { readonly visibility: Visibility }, viewer: Viewer): TopicAccess {
  const lapsed: Decision = "reprove_required";
  return {
    see: "allowed",
    readContent: visibility === "public" ? "allowed" : lapsed,
    inside: lapsed,
    leave: "allowed",
    readChat: lapsed,
    write: lapsed,
    join: "allowed",
    moderate: lapsed,
    edit: lapsed,
    delete: viewer.role === "owner" || viewer.isAdmin ? "allowed" : lapsed,
    report: "allowed",
    seeInviteCode: visibility === "public",
  };
}

/**
 * Decides whether staff may remove, mute or ban a member: admins only plain members, the owner everyone but
 * themselves (spec, DELETE members).
 * @param target role of that member; null for someone who is not a member, whom staff can ban in advance
 */
export function mayDiscipline(actor: Role | null, target: Role | null, isSelf: boolean): Decision {
  if (isSelf || target === "owner") return "role_required";
  if (actor === "owner") return "allowed";
  return actor === "admin" && target !== "admin" ? "allowed" : "role_required";
}

/** Returns what this role may do to the author of a text. Whoever wrote it anonymously is banned in another way. */
export function authorAbilities(
  actor: Role | null,
  author: { readonly userId: string; readonly role: Role | null },
  isSelf: boolean,
): Ability<"author">[] {
  if (author.userId === ANONYMOUS_ID || mayDiscipline(actor, author.role, isSelf) !== "allowed") return [];
  return author.role ? ["mute", "ban"] : ["ban"];
}

/** Returns what this role may do to a member: only the owner assigns roles, and `mayDiscipline` covers the rest. */
export function memberAbilities(actor: Role | null, target: Role, isSelf: boolean): Ability<"member">[] {
  const roles =
    actor === "owner" && !isSelf ? ([target === "admin" ? "demote" : "promote", "transfer"] as const) : [];
  const discipline =
    mayDiscipline(actor, target, isSelf) === "allowed" ? (["mute", "ban", "remove"] as const) : [];
  return [...roles, ...discipline];
}

/** Decides whether staff may delete a note about a user: its author, or the owner. */
export function mayDeleteNote(actor: Role | null, isAuthor: boolean): Decision {
  return actor === "owner" || (actor === "admin" && isAuthor) ? "allowed" : "role_required";
}

/** Returns what a member may do with an open offer of ownership. @param isMine whether it is made to them */
export function offerAbilities(role: Role | null, isMine: boolean): Ability<"offer">[] {
  if (isMine) return ["accept"];
  return role === "owner" ? ["cancel"] : [];
}

/** How long a rejected or removed user waits before another request (design/api.md, Topics). */
export const ASK_AGAIN_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * Returns the seconds until a user who was rejected or removed at `refusedAt` may ask again; 0 if they may now.
 * @param refusedAt the latest rejection or removal, or null
 */
export function secondsUntilAskAgain(refusedAt: Date | null, now: Date): number {
  if (!refusedAt) return 0;
  const left = refusedAt.getTime() + ASK_AGAIN_AFTER_MS - now.getTime();
  return Math.max(0, Math.ceil(left / 1000));
}
