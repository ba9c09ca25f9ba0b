import type { Report } from "@/lib/contract/moderation";

/** A post, comment or chat message with its reports on the page, which are decided together. */
export interface Case {
  /** Id of the first report; the server closes the others with it. */
  readonly id: string;
  readonly first: Report;
  readonly reports: readonly Report[];
}

/** Groups reports, oldest first, by content; each closed report is a case of its own. */
export function casesOf(reports: readonly Report[]): readonly Case[] {
  const groups = new Map<string, Report[]>();
  for (const report of reports) {
    const { postId, commentId, messageId, status, id } = report;
    const key = `${messageId ?? commentId ?? postId} ${status === "open" ? "open" : id}`;
    groups.set(key, [...(groups.get(key) ?? []), report]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ id: first.id, first, reports: group }] : [];
  });
}
