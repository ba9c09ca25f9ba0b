import { LIMITS } from "@/lib/contract/limits";
import type { Draft } from "./draft";
import { type PollProblems, pollProblems } from "./poll";

/** From here on it is said how much is left. */
export const near = { title: 160, content: 45_000 } as const;

/** Parts of the form at which something may be wrong. */
export type Part = "title" | "content" | "tags" | "media" | "poll";

/** The part of the form that a refusal names, as the API names fields; null for none of them. */
export function partOf(field: string | undefined): Part | null {
  const [first = ""] = (field ?? "").split(".");
  return (["title", "content", "tags", "media", "poll"] as const).find((part) => part === first) ?? null;
}

export interface Problems {
  readonly title?: "emptyTitle";
  readonly content?: "emptyBody" | "longBody";
  readonly poll?: PollProblems;
}

/** What keeps a post from being sent; names of sentences in `composer`. @param now Unix time in milliseconds */
export function problemsOf(draft: Draft, { now, keptPoll }: { now: number; keptPoll: boolean }): Problems {
  // A poll that was not touched may be closed already.
  const poll = draft.poll && !keptPoll ? pollProblems(draft.poll, now) : {};
  return {
    ...(draft.title.trim() ? {} : { title: "emptyTitle" as const }),
    ...(!draft.content
      ? { content: "emptyBody" as const }
      : draft.content.length > LIMITS.post.html
        ? { content: "longBody" as const }
        : {}),
    ...(Object.keys(poll).length > 0 ? { poll } : {}),
  };
}
