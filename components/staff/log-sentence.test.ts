import { describe, expect, it } from "vitest";
import { type LogAction, type LogEntry, logActions } from "@/lib/contract/moderation";
import { words } from "@/lib/i18n/english";
import { logPlace, logSentence } from "./log-sentence";

const entry = (of: Partial<LogEntry>): LogEntry => ({
  seq: 1,
  at: "2026-11-22T10:00:00.000Z",
  action: "topic_edited",
  actorId: "a",
  actorNickname: "nora",
  subjectId: "s",
  subjectNickname: "noah",
  postId: null,
  commentId: null,
  reason: null,
  details: {},
  previousHash: "0".repeat(64),
  hash: "f".repeat(64),
  ...of,
});
/** What happens by itself. */
const automatic: readonly LogAction[] = ["post_held", "comment_held", "message_held", "ownership_inherited"];
const said = (of: Partial<LogEntry>) => logSentence(words, entry(of));

describe("the log in words", () => {
  it("says every act with who did it", () => {
    for (const action of logActions.filter((one) => !automatic.includes(one))) {
      expect(said({ action }), action).toMatch(/^nora \w+/);
    }
  });

  it("says whom it concerns when nobody acted", () => {
    for (const action of automatic) {
      expect(said({ action, actorId: null, actorNickname: null }), action).toMatch(/^(A|The) .*noah/);
    }
  });

  it("says to whom, until when, and what was given or changed", () => {
    expect(said({ action: "role_changed", details: { role: "admin" } })).toBe("nora made noah an admin");
    expect(said({ action: "member_banned" })).toBe("nora banned noah until it is lifted");
    expect(said({ action: "member_muted", details: { until: "2026-12-01T10:00:00.000Z" } })).toMatch(
      /^nora muted noah until Tuesday,? 1 December( 2026)?, 10:00 UTC$/,
    );
    expect(said({ details: { fields: "title, image" } })).toBe("nora edited the topic’s title and picture");
    expect(said({ action: "report_resolved", details: { reports: "3" } })).toBe("nora resolved 3 reports");
    const hidden = { texts: "2", reports: "5" };
    expect(said({ action: "content_hidden", details: hidden })).toBe("nora hid 2 texts of noah");
    expect(said({ action: "content_hidden", details: { ...hidden, texts: "0" } })).toBe(
      "nora resolved the reports about what noah wrote",
    );
    expect(said({ action: "member_removed", subjectNickname: null })).toBe("nora removed someone");
    expect(said({ action: "member_removed", subjectNickname: "[withdrawn]" })).not.toContain("[");
  });

  it("leads to the post, at the comment it is about", () => {
    expect(logPlace(entry({}))).toBeNull();
    expect(logPlace(entry({ postId: "p" }))).toBe("/posts/p");
    expect(logPlace(entry({ postId: "p", commentId: "c" }))).toBe("/posts/p?comment=c");
  });
});
