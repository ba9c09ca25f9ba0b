import { describe, expect, it } from "vitest";
import type { Comment } from "@/lib/contract";
import { buildThreads, idsAbove, MAX_DEPTH, type Thread } from "./threads";
import { afterVote } from "./vote-state";

function comment(id: string, parentId: string | null): Comment {
  return {
    id,
    parentId,
    postId: "p",
    authorId: "u",
    authorNickname: "u",
    authorProfileImage: null,
    anonymous: null,
    automated: false,
    authorDomains: [],
    content: id,
    mentions: [],
    upvoteCount: 0,
    userVoted: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    isDeleted: false,
    isHidden: false,
    isFolded: false,
    abilities: [],
    deletedBy: null,
  };
}

const depthOf = (threads: readonly Thread[]): number =>
  threads.length === 0 ? 0 : 1 + Math.max(...threads.map((t) => depthOf(t.replies)));
const count = (threads: readonly Thread[]): number =>
  threads.reduce((sum, t) => sum + 1 + count(t.replies), 0);

describe("threads", () => {
  it("keeps order, nests replies, and shows a reply whose parent is elsewhere at the top", () => {
    const threads = buildThreads([
      comment("a", null),
      comment("b", "a"),
      comment("c", null),
      comment("d", "gone"),
    ]);
    expect(threads.map((t) => t.comment.id)).toEqual(["a", "c", "d"]);
    expect(threads[0]?.replies.map((t) => t.comment.id)).toEqual(["b"]);
  });

  it("never nests deeper than eight and loses nothing of a chain of 500", () => {
    const chain = Array.from({ length: 500 }, (_, i) => comment(`c${i}`, i === 0 ? null : `c${i - 1}`));
    const threads = buildThreads(chain);
    expect(depthOf(threads)).toBe(MAX_DEPTH);
    expect(count(threads)).toBe(500);
    expect(threads[0]?.size).toBe(499);
  });

  it("says what a reply answers where its place does not", () => {
    const chain = Array.from({ length: 10 }, (_, i) => comment(`c${i}`, i === 0 ? null : `c${i - 1}`));
    const all = (threads: readonly Thread[]): Thread[] => threads.flatMap((t) => [t, ...all(t.replies)]);
    const answers = all(buildThreads([...chain, comment("d", "gone")])).map((t) => t.answers);
    expect(answers).toEqual([...Array(8).fill(null), chain[7], chain[8], "elsewhere"]);
  });

  it("knows what stands above a comment, also in a circle that nobody can write", () => {
    const list = [comment("a", null), comment("b", "a"), comment("c", "b"), comment("d", "a")];
    expect([...idsAbove(list, "c")]).toEqual(["b", "a"]);
    expect(idsAbove(list, null).size + idsAbove(list, "x").size).toBe(0);
    expect([...idsAbove([comment("x", "y"), comment("y", "x")], "x")]).toEqual(["y", "x"]);
  });
});

describe("a vote before the server has answered", () => {
  it("is set, removed and switched as the API does it", () => {
    expect(afterVote({ count: 3, voted: null }, 1)).toEqual({ count: 4, voted: 1 });
    expect(afterVote({ count: 4, voted: 1 }, 1)).toEqual({ count: 3, voted: null });
    expect(afterVote({ count: 4, voted: 1 }, -1)).toEqual({ count: 2, voted: -1 });
  });
});
