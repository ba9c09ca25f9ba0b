import type { Metadata } from "next";
import { getWords } from "@/lib/i18n/server";
import type { SearchParams } from "../../_data/search-params";
import { OwnPosts } from "../../_parts/own-posts";

export async function generateMetadata(): Promise<Metadata> {
  const { t } = await getWords();
  return { title: t("me.titles.likes"), robots: { index: false } };
}

/** Posts the visitor voted up. */
export default function Likes({ searchParams }: { readonly searchParams: SearchParams }) {
  return <OwnPosts list="likes" searchParams={searchParams} />;
}
