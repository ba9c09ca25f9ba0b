import type { Role } from "@/lib/contract/common";
import { isStaff } from "./decision";

/** What the rule needs to know of a text. */
interface Text {
  /** Whether the reader blocked its author. */
  readonly blocked: boolean;
  readonly deleted: boolean;
}

/**
 * Decides whether a text folds away because its reader blocked the author. Not for the topic's staff, who have to see
 * what they moderate, and not for a deleted text, where it would say who wrote it.
 * @param role the reader's role in the topic
 */
export function isFolded({ blocked, deleted }: Text, role: Role | null): boolean {
  return blocked && !deleted && !isStaff(role);
}
