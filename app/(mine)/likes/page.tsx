import { pageHead } from "../../_data/head";
import type { SearchParams } from "../../_data/search-params";
import { OwnPosts } from "../../_parts/own-posts";

export const generateMetadata = pageHead((t) => t("me.lists.likes"));

/** Posts the visitor upvoted. */
export default function Likes({ searchParams }: { readonly searchParams: SearchParams }) {
  return <OwnPosts list="likes" searchParams={searchParams} />;
}
