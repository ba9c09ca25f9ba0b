import type { Poll } from "@/lib/contract";

/** An option that was pressed, or null: every vote is taken back. */
export type PollAct = string | null;

/** Options the reader has chosen once they pressed this: their own one again takes it back. */
function chosenAfter({ multipleChoice, userVotedOptionIds }: Poll, act: PollAct): readonly string[] {
  if (act === null) return [];
  if (userVotedOptionIds.includes(act)) return userVotedOptionIds.filter((id) => id !== act);
  return multipleChoice ? [...userVotedOptionIds, act] : [act];
}

/** The poll with these options chosen by the reader, and counted. */
function withChoice(poll: Poll, chosen: readonly string[]): Poll {
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

/** After an act, if the server takes it. */
export function afterPollAct(poll: Poll, act: PollAct): Poll {
  return withChoice(poll, chosenAfter(poll, act));
}

/** What to ask of the server for an act. */
export interface PollCalls {
  /** Take back every vote first: single ones cannot be. */
  readonly clear: boolean;
  /** Then vote for these. */
  readonly vote: readonly string[];
}

export function pollCalls(poll: Poll, act: PollAct): PollCalls {
  const chosen = chosenAfter(poll, act);
  const had = poll.userVotedOptionIds;
  // Where one may be chosen, a vote replaces the one before.
  const clear = chosen.length === 0 || (poll.multipleChoice && had.some((id) => !chosen.includes(id)));
  return { clear: clear && had.length > 0, vote: chosen };
}
