import { describe, expect, it } from "vitest";
import { postAccess } from "./post";

const guest = { signedIn: false, role: null };
const outsider = { signedIn: true, role: null };
const member = { signedIn: true, role: "member" } as const;

const table = [
  // visibility, deleted, who, read, write
  ["public", false, "guest", guest, "allowed", "not_authenticated"],
  ["public", false, "outsider", outsider, "allowed", "not_a_member"],
  ["public", false, "member", member, "allowed", "allowed"],
  ["private", false, "guest", guest, "not_authenticated", "not_authenticated"],
  ["private", false, "outsider", outsider, "not_a_member", "not_a_member"],
  ["private", false, "member", member, "allowed", "allowed"],
  // A guest must not learn that a post under a secret topic exists: the code is that of no post at all.
  ["secret", false, "guest", guest, "post_not_found", "not_authenticated"],
  ["secret", false, "outsider", outsider, "not_a_member", "not_a_member"],
  ["secret", false, "member", member, "allowed", "allowed"],
  // Deleted: the page stays, writes find nothing.
  ["public", true, "guest", guest, "allowed", "not_authenticated"],
  ["public", true, "outsider", outsider, "allowed", "post_not_found"],
  ["public", true, "member", member, "allowed", "post_not_found"],
  ["private", true, "outsider", outsider, "not_a_member", "post_not_found"],
  ["secret", true, "guest", guest, "post_not_found", "not_authenticated"],
] as const;

describe("postAccess", () => {
  it.each(table)("%s topic, deleted %s, %s", (visibility, deleted, _, viewer, read, write) => {
    expect(postAccess({ visibility, deleted }, viewer)).toEqual({ read, write });
  });
});
