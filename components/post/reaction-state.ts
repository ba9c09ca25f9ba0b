import type { Post } from "@/lib/contract";

export type Reactions = Post["reactions"];
export type Emoji = Reactions[number]["emoji"];

/** The six, in their order, and what each is called (`reaction.names`). The contract's own list would bring zod along. */
export const reactionNames = [
  ["\u{1F44D}", "thumbsUp"],
  ["\u{2764}\u{FE0F}", "heart"],
  ["\u{1F525}", "fire"],
  ["\u{1F602}", "laughing"],
  ["\u{1F389}", "party"],
  ["\u{1F62E}", "surprised"],
] as const satisfies readonly (readonly [Emoji, string])[];

/** Reactions once the reader has, or has not, given this one; those nobody gave are left out. */
export function withReaction(reactions: Reactions, emoji: Emoji, given: boolean): Reactions {
  return reactionNames.flatMap(([one]) => {
    const known = reactions.find((reaction) => reaction.emoji === one);
    if (one !== emoji) return known ?? [];
    const others = (known?.count ?? 0) - (known?.userReacted ? 1 : 0);
    const count = others + (given ? 1 : 0);
    return count > 0 ? { emoji: one, count, userReacted: given } : [];
  });
}

/** Whether the reader gave it. */
export function hasGiven(reactions: Reactions, emoji: Emoji): boolean {
  return reactions.some((reaction) => reaction.emoji === emoji && reaction.userReacted);
}

/** After pressing one: given, or taken back. */
export function afterReaction(reactions: Reactions, emoji: Emoji): Reactions {
  return withReaction(reactions, emoji, !hasGiven(reactions, emoji));
}
