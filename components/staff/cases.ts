import type { Report } from "@/lib/contract/moderation";

/** A post or comment with every report of it on the page: they are answered together. */
export interface Case {
  /** Of the first report; the server closes the others with it. */
  readonly id: string;
  readonly first: Report;
  readonly reports: readonly Report[];
}

/** Reports, oldest first, gathered by what they are about; answered ones apart from open ones. */
export function casesOf(reports: readonly Report[]): readonly Case[] {
  const groups = new Map<string, Report[]>();
  for (const report of reports) {
    const { postId, commentId, status, id } = report;
    const key = `${commentId ?? postId} ${status === "open" ? "open" : id}`;
    groups.set(key, [...(groups.get(key) ?? []), report]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ id: first.id, first, reports: group }] : [];
  });
}
