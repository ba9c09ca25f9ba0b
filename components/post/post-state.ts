import type { Poll, Post } from "@/lib/contract";

/** The state of a post's reactions and poll after an action of the reader, before the server has answered. */

export type Reactions = Post["reactions"];
export type Emoji = Reactions[number]["emoji"];

/** The reactions in order, with their keys in `reaction.names`. Importing the contract's list would load zod. */
export const reactionNames = [
  ["\u{1F44D}", "thumbsUp"],
  ["\u{2764}\u{FE0F}", "heart"],
  ["\u{1F525}", "fire"],
  ["\u{1F602}", "laughing"],
  ["\u{1F389}", "party"],
  ["\u{1F62E}", "surprised"],
] as const satisfies readonly (readonly [Emoji, string])[];

/** Adds or removes the reader's reaction; leaves out reactions without a count. */
export function withReaction(reactions: Reactions, emoji: Emoji, given: boolean): Reactions {
  return reactionNames.flatMap(([one]) => {
    const known = reactions.find((reaction) => reaction.emoji === one);
    if (one !== emoji) return known ?? [];
    const others = (known?.count ?? 0) - (known?.userReacted ? 1 : 0);
    const count = others + (given ? 1 : 0);
    return count > 0 ? { emoji: one, count, userReacted: given } : [];
  });
}

/** Returns whether the reader gave this reaction. */
export function hasGiven(reactions: Reactions, emoji: Emoji): boolean {
  return reactions.some((reaction) => reaction.emoji === emoji && reaction.userReacted);
}

/** Toggles a reaction of the reader. */
export function afterReaction(reactions: Reactions, emoji: Emoji): Reactions {
  return withReaction(reactions, emoji, !hasGiven(reactions, emoji));
}

/** The option the reader pressed, or null to remove all their votes. */
export type PollAction = string | null;

/** Returns the reader's options after the action. Their own option again removes the vote. */
function chosenAfter({ multipleChoice, userVotedOptionIds }: Poll, action: PollAction): readonly string[] {
  if (action === null) return [];
  if (userVotedOptionIds.includes(action)) return userVotedOptionIds.filter((id) => id !== action);
  return multipleChoice ? [...userVotedOptionIds, action] : [action];
}

/** Returns the poll after the action, if the server accepts it. */
export function afterPollAction(poll: Poll, action: PollAction): Poll {
  const chosen = chosenAfter(poll, action);
  const had = new Set(poll.userVotedOptionIds);
  const options = poll.options.map((option) => ({
    ...option,
    voteCount: option.voteCount - Number(had.has(option.id)) + Number(chosen.includes(option.id)),
  }));
  return {
    ...poll,
    options,
    totalVotes: options.reduce((sum, { voteCount }) => sum + voteCount, 0),
    userVotedOptionIds: [...chosen],
  };
}

/** Returns the API calls for an action: first remove all votes, as the API cannot remove a single one, then vote. */
export function pollCalls(poll: Poll, action: PollAction) {
  const chosen = chosenAfter(poll, action);
  const had = poll.userVotedOptionIds;
  // In a single-choice poll, a vote replaces the previous one.
  const clear = chosen.length === 0 || (poll.multipleChoice && had.some((id) => !chosen.includes(id)));
  return { clear: clear && had.length > 0, vote: chosen };
}
