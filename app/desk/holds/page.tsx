import { HoldList } from "@/components/desk/hold-list";
import { More } from "@/components/shell/more";
import { EmptyState, ErrorNote } from "@/components/ui/notes";
import { Pills } from "@/components/ui/pills";
import { getWords } from "@/lib/i18n/server";
import { oneOf } from "../../_data/choice";
import { deskHolds } from "../../_data/desk";
import { pageHead } from "../../_data/head";
import { type SearchParams, single, withQuery } from "../../_data/search-params";
import { withWords } from "../../_parts/words";
import { deskPage } from "../_parts/desk-page";

export const generateMetadata = pageHead((t) => `${t("desk.holds")} · ${t("desk.title")}`);

export default withWords(["desk", "proveAgain", "queue", "reason", "staff"], deskPage("holds", Holds));

const PATH = "/desk/holds";

/** Legal holds: what they keep, and how to end or export them. */
async function Holds({ searchParams }: { readonly searchParams: SearchParams }) {
  const { t } = await getWords();
  const query = await searchParams;
  const status = oneOf(["all"] as const, query.status);
  const cursor = single(query.cursor);
  const list = await deskHolds({ status, cursor });
  if (!list?.ok) return <ErrorNote>{list?.message}</ErrorNote>;
  const { holds, nextCursor } = list.value;
  return (
    <>
      <p className="max-w-[68ch] text-soft">{t("desk.holdsLead")}</p>
      <Pills
        label={t("queue.status")}
        pills={[
          { href: PATH, label: t("desk.holdsInForce"), current: status === undefined },
          { href: `${PATH}?status=all`, label: t("common.all"), current: status === "all" },
        ]}
      />
      {holds.length > 0 ? (
        <HoldList holds={holds} />
      ) : (
        <EmptyState title={t("desk.holdsEmptyTitle")}>{t("desk.holdsEmpty")}</EmptyState>
      )}
      <More href={(next) => withQuery(PATH, { status, cursor: next })} cursor={cursor} next={nextCursor} />
    </>
  );
}
