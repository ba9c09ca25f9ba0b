import type { Metadata } from "next";
import { getWords } from "@/lib/i18n/server";
import type { SearchParams } from "../../_data/search-params";
import { OwnPosts } from "../../_parts/own-posts";

export async function generateMetadata(): Promise<Metadata> {
  const { t } = await getWords();
  return { title: t("me.titles.bookmarks"), robots: { index: false } };
}

/** Posts the visitor keeps. */
export default function Bookmarks({ searchParams }: { readonly searchParams: SearchParams }) {
  return <OwnPosts list="bookmarks" searchParams={searchParams} />;
}
