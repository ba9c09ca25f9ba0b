import type { ClientInput, contract } from "@/lib/contract";

/** A list of posts whose pages the API has. */
export type PostSource =
  | { readonly of: "feed"; readonly query: ClientInput<typeof contract.feed.list> }
  | { readonly of: "topic"; readonly query: ClientInput<typeof contract.posts.list> };

/** What follows a page of a list. */
export interface NextPages {
  readonly source: PostSource;
  /** Path and query of the first page, */
  readonly path: string;
  /** and of the page above. */
  readonly current: string;
  /** Cursor of the next page. */
  readonly next: string;
}
