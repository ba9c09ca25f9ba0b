import type { Poll } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import type { PollDraft } from "./draft";

export const newPoll: PollDraft = { question: "", options: ["", ""], multipleChoice: false, closesAt: "" };

/** What is wrong with a poll; the names are those of sentences in `composer.pollProblems`. */
export interface PollProblems {
  readonly options?: "few" | "long" | "twice";
  readonly question?: "longQuestion";
  readonly closesAt?: "past";
}

/** Options as they are sent: empty lines are none. */
function filledOptions({ options }: PollDraft): string[] {
  return options.map((option) => option.trim()).filter(Boolean);
}

/** Says what the server would refuse. @param now Unix time in milliseconds */
export function pollProblems(poll: PollDraft, now: number): PollProblems {
  const options = filledOptions(poll);
  const closes = closingTime(poll);
  return {
    ...(options.length < LIMITS.poll.minOptions
      ? { options: "few" as const }
      : options.some((option) => option.length > LIMITS.poll.option)
        ? { options: "long" as const }
        : new Set(options).size < options.length
          ? { options: "twice" as const }
          : {}),
    ...(poll.question.trim().length > LIMITS.poll.question ? { question: "longQuestion" as const } : {}),
    ...(closes !== null && !(Date.parse(closes) > now) ? { closesAt: "past" as const } : {}),
  };
}

/** ISO 8601, or null for a poll without an end. What is no date is a moment that is past. */
function closingTime({ closesAt }: PollDraft): string | null {
  if (!closesAt) return null;
  const date = new Date(closesAt);
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString();
}

/** A poll as POST /api/topics/{topicId}/posts takes it. */
export function pollBody(poll: PollDraft) {
  const question = poll.question.trim();
  const closesAt = closingTime(poll);
  return {
    options: filledOptions(poll),
    multipleChoice: poll.multipleChoice,
    ...(question ? { question } : {}),
    ...(closesAt ? { closesAt } : {}),
  };
}

/**
 * A poll as PATCH /api/posts/{postId} takes it: what was not changed is left out, so that a closing time that is past may
 * stay and frozen options are not sent. Undefined when nothing was changed.
 */
export function pollPatchBody(before: PollDraft | null, after: PollDraft | null) {
  if (!after) return before ? null : undefined;
  if (!before) return pollBody(after);
  const body = pollBody(after);
  const question = after.question.trim();
  const isSame = body.options.join("\n") === filledOptions(before).join("\n");
  const patch = {
    ...(question === before.question.trim() ? {} : { question: question || null }),
    ...(isSame ? {} : { options: body.options }),
    ...(after.multipleChoice === before.multipleChoice ? {} : { multipleChoice: after.multipleChoice }),
    ...(after.closesAt === before.closesAt ? {} : { closesAt: closingTime(after) }),
  };
  return Object.keys(patch).length > 0 ? patch : undefined;
}

/** A poll that stands already, as the form shows it. */
export function pollDraftOf({ question, options, multipleChoice, closesAt }: Poll): PollDraft {
  return {
    question: question ?? "",
    options: options.map(({ text }) => text),
    multipleChoice,
    closesAt: closesAt ? fieldTime(new Date(closesAt)) : "",
  };
}

/** A moment as a field for date and time has it: in the zone of this device, to the minute. */
export function fieldTime(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
