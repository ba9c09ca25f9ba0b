import { pageHead } from "../../_data/head";
import type { SearchParams } from "../../_data/search-params";
import { OwnPosts } from "../../_parts/own-posts";

export const generateMetadata = pageHead((t) => t("me.lists.bookmarks"));

/** Posts the visitor bookmarked. */
export default function Bookmarks({ searchParams }: { readonly searchParams: SearchParams }) {
  return <OwnPosts list="bookmarks" searchParams={searchParams} />;
}
