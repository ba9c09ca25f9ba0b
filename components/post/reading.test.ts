import { describe, expect, it } from "vitest";
import type { Poll } from "@/lib/contract";
import { reactionEmojis } from "@/lib/contract/posts";
import {
  afterPollAction,
  afterReaction,
  hasGiven,
  type PollAction,
  pollCalls,
  reactionNames,
  withReaction,
} from "./post-state";

const [thumb, heart, fire] = reactionEmojis;

describe("reactions before the server has answered", () => {
  it("are the contract's six, in its order", () => {
    expect(reactionNames.map(([emoji]) => emoji)).toEqual(reactionEmojis);
  });

  it("are given in their place and taken back, and what nobody gives is gone", () => {
    const given = [{ emoji: fire, count: 2, userReacted: false }];
    const after = afterReaction(given, thumb);
    expect(after).toEqual([{ emoji: thumb, count: 1, userReacted: true }, ...given]);
    expect(hasGiven(after, thumb)).toBe(true);
    expect(afterReaction(after, thumb)).toEqual(given);
    expect(afterReaction(given, fire)).toEqual([{ emoji: fire, count: 3, userReacted: true }]);
  });

  it("count nobody twice when the server says what was shown already", () => {
    const mine = [{ emoji: heart, count: 5, userReacted: true }];
    expect(withReaction(mine, heart, true)).toEqual(mine);
    expect(withReaction(mine, heart, false)).toEqual([{ emoji: heart, count: 4, userReacted: false }]);
  });
});

function poll(multipleChoice: boolean, mine: readonly string[]): Poll {
  const options = ["a", "b", "c"].map((id, position) => ({
    id,
    text: id,
    position,
    voteCount: 1 + Number(mine.includes(id)),
  }));
  return {
    id: "p",
    postId: "p",
    question: null,
    multipleChoice,
    closesAt: null,
    options,
    totalVotes: 3 + mine.length,
    userVotedOptionIds: [...mine],
    isClosed: false,
    secret: null,
  };
}

describe("a poll before the server has answered", () => {
  it.each<[boolean, readonly string[], PollAction, readonly string[]]>([
    [false, [], "a", ["a"]],
    [false, ["a"], "b", ["b"]],
    [false, ["a"], "a", []],
    [true, ["a"], "b", ["a", "b"]],
    [true, ["a", "b"], "a", ["b"]],
    [true, ["a", "b"], null, []],
  ])("several %s, chosen %j, then %s", (several, mine, act, chosen) => {
    expect(afterPollAction(poll(several, mine), act)).toEqual(poll(several, chosen));
  });

  it("asks the server for what leads there: it replaces one choice, and adds to several", () => {
    expect(pollCalls(poll(false, ["a"]), "b")).toEqual({ clear: false, vote: ["b"] });
    expect(pollCalls(poll(false, ["a"]), "a")).toEqual({ clear: true, vote: [] });
    expect(pollCalls(poll(true, ["a"]), "b")).toEqual({ clear: false, vote: ["a", "b"] });
    expect(pollCalls(poll(true, ["a", "b"]), "a")).toEqual({ clear: true, vote: ["b"] });
    // Nothing to take back (any more): no call at all.
    expect(pollCalls(poll(true, []), null)).toEqual({ clear: false, vote: [] });
  });
});
