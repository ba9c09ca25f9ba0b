import type { Visibility } from "@/db/schema/community";
import type { Verdict, Viewer } from "./verdict";

export interface TopicAccess {
  /** The topic itself: title, description, gate, counts. */
  readonly see: Verdict;
  /** Its posts and comments. */
  readonly readContent: Verdict;
  /** Post, comment, vote, react: members only. */
  readonly write: Verdict;
  /** Join without an invite, before the gate is looked at. */
  readonly join: Verdict;
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
  if (viewer.role) {
    return {
      see: "allowed",
      readContent: "allowed",
      write: "allowed",
      join: "already_member",
      seeInviteCode: true,
    };
  }
  const { signedIn } = viewer;
  const write = signedIn ? "not_a_member" : "not_authenticated";
  switch (topic.visibility) {
    case "public":
      return {
        see: "allowed",
        readContent: "allowed",
        write,
        join: signedIn ? "allowed" : "not_authenticated",
        seeInviteCode: true,
      };
    case "private":
      return {
        see: "allowed",
        readContent: write,
        write,
        join: signedIn ? "allowed" : "not_authenticated",
        seeInviteCode: false,
      };
    case "secret":
      return {
        see: signedIn ? "topic_secret" : "topic_not_found",
        readContent: signedIn ? "not_a_member" : "topic_not_found",
        write,
        join: signedIn ? "topic_secret" : "not_authenticated",
        seeInviteCode: false,
      };
  }
}
