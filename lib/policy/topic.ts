import type { Visibility } from "@/db/schema/community";
import type { Ability } from "@/lib/contract/abilities";
import type { Role } from "@/lib/contract/common";
import { type Decision, isStaff, type Viewer } from "./decision";

export interface TopicAccess {
  /** The topic itself: title, description, gate, counts. */
  readonly see: Decision;
  /** Its posts and comments. */
  readonly readContent: Decision;
  /** What members find inside: the other members, the staff's log, leaving. */
  readonly inside: Decision;
  /** The chat's history: like `inside`, but the spec has it not exist for anybody else (GET chat). */
  readonly readChat: Decision;
  /** Post, comment, vote, react, invite: members who are not muted. */
  readonly write: Decision;
  /** Join without an invite, before the gate is looked at. */
  readonly join: Decision;
  /** Requests, reports, sanctions, pins, hiding: owner and admins. */
  readonly moderate: Decision;
  /** Edit the topic, give roles: the owner. */
  readonly edit: Decision;
  /** Delete the topic: the owner, or a global admin. */
  readonly delete: Decision;
  readonly seeInviteCode: boolean;
}

/**
 * The one rule for what a caller may see of a topic and do in it; every read and write goes through it
 * (spec, GET /api/topics/{topicId} and Posts; design/api.md, Topics).
 *
 * A guest learns nothing that tells a secret topic from one that does not exist. A signed-in outsider may learn
 * that it exists, since the spec answers 403 there. Global admins read like anybody else: the spec lets them
 * edit and delete, not enter.
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
  if (role) {
    return {
      see: "allowed",
      readContent: "allowed",
      inside: "allowed",
      readChat: "allowed",
      write: viewer.muted ? "muted" : "allowed",
      join: "already_member",
      ...staff,
      seeInviteCode: true,
    };
  }
  const outside: Decision = signedIn ? "not_a_member" : "not_authenticated";
  const enter: Decision = signedIn ? "allowed" : "not_authenticated";
  const readChat: Decision = signedIn ? "topic_not_found" : "not_authenticated";
  const common = { inside: outside, readChat, write: outside, ...staff };
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
        seeInviteCode: false,
      };
  }
}

/**
 * Whether somebody of the staff may remove, mute or ban a member: admins plain members only, the owner anybody but
 * themselves (spec, DELETE members).
 * @param target role of the other, null for somebody who is not a member (a ban may come before they do)
 */
export function mayDiscipline(actor: Role | null, target: Role | null, isSelf: boolean): Decision {
  if (isSelf || target === "owner") return "role_required";
  if (actor === "owner") return "allowed";
  return actor === "admin" && target !== "admin" ? "allowed" : "role_required";
}

/** What somebody of this role may do to a member: only the owner gives roles, and who may discipline does all of it. */
export function memberAbilities(actor: Role | null, target: Role, isSelf: boolean): Ability<"member">[] {
  const roles =
    actor === "owner" && !isSelf ? ([target === "admin" ? "demote" : "promote", "transfer"] as const) : [];
  const discipline =
    mayDiscipline(actor, target, isSelf) === "allowed" ? (["mute", "ban", "remove"] as const) : [];
  return [...roles, ...discipline];
}
