import type { Visibility } from "@/db/schema/community";
import type { Role } from "@/lib/contract/common";
import { isStaff, type Verdict, type Viewer } from "./verdict";

export interface TopicAccess {
  /** The topic itself: title, description, gate, counts. */
  readonly see: Verdict;
  /** Its posts and comments. */
  readonly readContent: Verdict;
  /** What members find inside: the other members, the staff's log, leaving. */
  readonly inside: Verdict;
  /** The chat's history: like `inside`, but the spec has it not exist for anybody else (GET chat). */
  readonly readChat: Verdict;
  /** Post, comment, vote, react, invite: members who are not muted. */
  readonly write: Verdict;
  /** Join without an invite, before the gate is looked at. */
  readonly join: Verdict;
  /** Requests, reports, sanctions, pins, hiding: owner and admins. */
  readonly moderate: Verdict;
  /** Edit the topic, give roles: the owner. */
  readonly own: Verdict;
  /** Delete the topic: the owner, or a global admin. */
  readonly remove: Verdict;
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
  const needsRole = (allowed: boolean): Verdict => {
    if (!signedIn) return "not_authenticated";
    if (allowed) return "allowed";
    return role ? "role_required" : "not_a_member";
  };
  const staff = {
    moderate: needsRole(isStaff(role)),
    own: needsRole(role === "owner"),
    remove: needsRole(role === "owner" || viewer.isAdmin),
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
  const outside: Verdict = signedIn ? "not_a_member" : "not_authenticated";
  const enter: Verdict = signedIn ? "allowed" : "not_authenticated";
  const readChat: Verdict = signedIn ? "topic_not_found" : "not_authenticated";
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
export function mayDiscipline(actor: Role | null, target: Role | null, isSelf: boolean): Verdict {
  if (isSelf || target === "owner") return "role_required";
  if (actor === "owner") return "allowed";
  return actor === "admin" && target !== "admin" ? "allowed" : "role_required";
}
