import { describe, expect, it } from "vitest";
import { topicAccess } from "./topic";

const guest = { signedIn: false, role: null };
const outsider = { signedIn: true, role: null };
const member = { signedIn: true, role: "member" } as const;
const admin = { signedIn: true, role: "admin" } as const;
const owner = { signedIn: true, role: "owner" } as const;

// Columns: see, readContent, write, join, seeInviteCode (spec, GET /api/topics/{topicId} and Posts).
const table = [
  ["public", "guest", guest, "allowed", "allowed", "not_authenticated", "not_authenticated", true],
  ["public", "outsider", outsider, "allowed", "allowed", "not_a_member", "allowed", true],
  [
    "private",
    "guest",
    guest,
    "allowed",
    "not_authenticated",
    "not_authenticated",
    "not_authenticated",
    false,
  ],
  ["private", "outsider", outsider, "allowed", "not_a_member", "not_a_member", "allowed", false],
  [
    "secret",
    "guest",
    guest,
    "topic_not_found",
    "topic_not_found",
    "not_authenticated",
    "not_authenticated",
    false,
  ],
  ["secret", "outsider", outsider, "topic_secret", "not_a_member", "not_a_member", "topic_secret", false],
  ...(["public", "private", "secret"] as const).flatMap((visibility) =>
    ([member, admin, owner] as const).map(
      (viewer) =>
        [visibility, viewer.role, viewer, "allowed", "allowed", "allowed", "already_member", true] as const,
    ),
  ),
] as const;

describe("topicAccess", () => {
  it.each(table)("%s topic, %s", (visibility, _, viewer, see, readContent, write, join, seeInviteCode) => {
    expect(topicAccess({ visibility }, viewer)).toEqual({ see, readContent, write, join, seeInviteCode });
  });
});
