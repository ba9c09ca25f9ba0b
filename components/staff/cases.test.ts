import { describe, expect, it } from "vitest";
import type { Report } from "@/lib/contract/moderation";
import { casesOf } from "./cases";

const somebody = { userId: "u", nickname: "nora", profileImage: null };
const report = (id: string, of: Partial<Report> = {}): Report => ({
  id,
  topicId: "t",
  postId: "p",
  commentId: null,
  messageId: null,
  reason: "spam",
  details: null,
  status: "open",
  createdAt: "2026-11-22T10:00:00.000Z",
  reporter: somebody,
  author: { ...somebody, abilities: [] },
  title: "A title",
  excerpt: "Text",
  isHidden: false,
  isDeleted: false,
  snapshot: null,
  ...of,
});
const ids = (reports: readonly Report[]) =>
  casesOf(reports).map(({ id, reports: of }) => [id, of.map((one) => one.id)]);

describe("reports as cases", () => {
  it("are one where they are open and about the same post or comment, in the order of the first", () => {
    expect(
      ids([report("1"), report("2", { commentId: "c" }), report("3"), report("4", { postId: "q" })]),
    ).toEqual([
      ["1", ["1", "3"]],
      ["2", ["2"]],
      ["4", ["4"]],
    ]);
  });

  it("stay apart once they are answered", () => {
    expect(
      ids([report("1", { status: "dismissed" }), report("2", { status: "dismissed" }), report("3")]),
    ).toEqual([
      ["1", ["1"]],
      ["2", ["2"]],
      ["3", ["3"]],
    ]);
  });
});
