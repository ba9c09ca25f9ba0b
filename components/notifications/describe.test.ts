import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { type NotificationKind, notificationKinds } from "@/lib/contract/notification-kinds";
import type { notification } from "@/lib/contract/notifications";
import { words } from "@/lib/i18n/english";
import { placeOf, sentenceOf } from "./describe";

function notificationOf(kind: NotificationKind, over: Partial<z.infer<typeof notification>> = {}) {
  return {
    id: "n",
    kind,
    createdAt: "2026-11-22T12:00:00.000Z",
    isRead: false,
    actor: { userId: "u", nickname: "ada", profileImage: null },
    topicId: "t",
    topicTitle: "Slow projects",
    postId: "p",
    postTitle: "Rye",
    commentId: null,
    excerpt: null,
    reason: null,
    details: {},
    ...over,
  };
}

describe("notifications", () => {
  it("say something of their own for every kind, with and without what the reader may know", () => {
    const full = notificationKinds.map((kind) => sentenceOf(words, notificationOf(kind)));
    expect(new Set(full).size).toBe(notificationKinds.length);
    for (const kind of notificationKinds) {
      const bare = notificationOf(kind, { actor: null, topicTitle: null, postId: null, postTitle: null });
      const said = `${sentenceOf(words, bare)} ${placeOf(bare)}`;
      expect(said).not.toMatch(/undefined|“”/);
      // These are where they are, whatever was reported, is new or was refused.
      const fixed: Partial<Record<NotificationKind, string>> = {
        desk_report_opened: "/desk",
        digest: "/",
        scheduled_refused: "/scheduled",
      };
      expect(placeOf(bare)).toBe(fixed[kind] ?? null);
    }
  });

  it("lead to what they are about", () => {
    expect(placeOf(notificationOf("reply", { commentId: "c" }))).toBe("/posts/p?comment=c");
    expect(placeOf(notificationOf("mention"))).toBe("/posts/p");
    expect(placeOf(notificationOf("chat_mention", { postId: null }))).toBe("/topics/t/chat");
    expect(placeOf(notificationOf("member_muted", { postId: null }))).toBe("/topics/t");
    expect(placeOf(notificationOf("post_removed"))).toBe("/topics/t");
    expect(placeOf(notificationOf("join_request", { postId: null }))).toBe("/topics/t/requests");
    expect(placeOf(notificationOf("report_opened"))).toBe("/topics/t/reports");
  });

  it("tell an answer to a comment from one to a post", () => {
    expect(sentenceOf(words, notificationOf("reply", { details: { to: "post" } }))).toBe(
      "ada commented on your post “Rye”",
    );
    expect(sentenceOf(words, notificationOf("reply", { details: { to: "comment" } }))).toBe(
      "ada replied to your comment under “Rye”",
    );
    expect(sentenceOf(words, notificationOf("report_opened", { postId: null, postTitle: null }))).toBe(
      "A chat message in “Slow projects” was reported",
    );
    expect(sentenceOf(words, notificationOf("role_changed", { details: { role: "admin" } }))).toBe(
      "You are now an admin of “Slow projects”",
    );
  });
});
