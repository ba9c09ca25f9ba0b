import type { postSorts } from "@/lib/contract/posts";
import type { SortKey } from "../paging";

export type PostSort = (typeof postSorts)[number];

/** Sorts of post lists. Each has its indexes in migration 002. */
export const postSortKeys: Record<PostSort, SortKey> = {
  hot: { column: "score", kind: "float" },
  new: { column: "created_at", kind: "time" },
  top: { column: "upvote_count", kind: "int" },
  active: { column: "last_activity_at", kind: "time" },
  recorded: { column: "record_count", kind: "int" },
};
