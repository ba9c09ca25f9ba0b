import type { Metadata } from "next";
import { SiteLogList } from "@/components/desk/site-log-list";
import { More } from "@/components/shell/more";
import { Page } from "@/components/shell/page";
import { Hash } from "@/components/ui/hash";
import { EmptyState, ErrorNote } from "@/components/ui/notes";
import type { RecordedHead } from "@/lib/contract/desk";
import { getWords } from "@/lib/i18n/server";
import { siteLog } from "../_data/desk";
import { fixedHead } from "../_data/head";
import { type SearchParams, single, withQuery } from "../_data/search-params";
import { withWords } from "../_parts/words";

export async function generateMetadata(): Promise<Metadata> {
  const { t } = await getWords();
  return fixedHead({ path: "/log", title: t("siteLog.title"), description: t("siteLog.lead") });
}

/** Everything that operators did, for everyone, and how to verify it. */
async function SiteLog({ searchParams }: { readonly searchParams: SearchParams }) {
  const { t } = await getWords();
  const cursor = single((await searchParams).cursor);
  const list = await siteLog({ cursor });
  if (!list.ok) {
    return (
      <Page title={t("siteLog.title")} back="/">
        <ErrorNote>{list.message}</ErrorNote>
      </Page>
    );
  }
  const { entries, recorded, nextCursor } = list.value;
  const newest = cursor ? undefined : entries[0];
  return (
    <Page title={t("siteLog.title")} back="/">
      <p className="max-w-[68ch] text-soft">{t("siteLog.lead")}</p>
      {entries.length > 0 ? (
        <>
          <SiteLogList entries={entries} />
          <More href={(next) => withQuery("/log", { cursor: next })} cursor={cursor} next={nextCursor} />
        </>
      ) : (
        <EmptyState title={t("siteLog.emptyTitle")}>{t("siteLog.empty")}</EmptyState>
      )}
      <section aria-labelledby="verify" className="grid max-w-[68ch] gap-3 pt-3">
        <h2 id="verify" className="font-serif text-lg font-semibold">
          {t("siteLog.verify")}
        </h2>
        <p>{t("siteLog.verifyText")}</p>
        <pre className="overflow-x-auto rounded-control border bg-wash p-3 font-mono text-sm">
          <code>{`curl "$SITE/api/log?limit=100" > log.json\nnpm run verify-log log.json`}</code>
        </pre>
        <p>
          {t("siteLog.verifySeen")
            .split(/(--seen)/)
            .map((part) =>
              part === "--seen" ? (
                <code key={part} className="whitespace-nowrap">
                  {part}
                </code>
              ) : (
                part
              ),
            )}
        </p>
        {newest ? (
          <p>
            {t("log.newest", { n: newest.seq })} <Hash value={newest.hash} label={t("log.hash")} />
          </p>
        ) : null}
        <Recorded head={recorded} />
        <p>
          <a className="link reach" href="/api/log?limit=100">
            {t("siteLog.pages")}
          </a>
        </p>
      </section>
    </Page>
  );
}

export default withWords([], SiteLog);

/** Up to where the log is on a chain. */
async function Recorded({ head }: { readonly head: RecordedHead | null }) {
  const { t } = await getWords();
  if (!head) return <p className="text-soft">{t("siteLog.notRecorded")}</p>;
  return (
    <p>
      {t("siteLog.recorded", { n: head.seq, chain: String(head.chainId) })}{" "}
      <Hash value={head.txHash} label={t("siteLog.transaction")} />
    </p>
  );
}
