import { OwnPosts } from "@/app/_parts/own-posts";
import { pageHead } from "../../../_data/head";
import type { SearchParams } from "../../../_data/search-params";

export const generateMetadata = pageHead((t) => t("me.lists.posts"));

/** Posts the visitor wrote. */
export default function MyPosts({ searchParams }: { readonly searchParams: SearchParams }) {
  return <OwnPosts list="posts" searchParams={searchParams} />;
}
