import type { Metadata } from "next";
import { getWords } from "@/lib/i18n/server";
import type { PlainName } from "@/lib/i18n/words";
import { fixedHead } from "../../_data/head";

/** Makes the `generateMetadata` of a page about the site, which everyone may read and search engines may index. */
export function articleHead(path: string, title: PlainName, description: PlainName): () => Promise<Metadata> {
  return async () => {
    const { t } = await getWords();
    return fixedHead({ path, title: t(title), description: t(description) });
  };
}
