import Link from "next/link";
import { SearchField } from "@/components/search/search-field";
import { Badge } from "@/components/ui/badge";
import { Avatar } from "@/components/ui/identicon";
import { EmptyState, ErrorNote } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { deskAccounts } from "../../_data/desk";
import { pageHead } from "../../_data/head";
import { type SearchParams, single } from "../../_data/search-params";
import { withWords } from "../../_parts/words";
import { deskPage } from "../_parts/desk-page";

export const generateMetadata = pageHead((t) => `${t("desk.accounts")} · ${t("desk.title")}`);

export default withWords(["search"], deskPage("accounts", Accounts));

/** No nickname or user id is longer. */
const MAX_QUERY = 100;

/** Finds accounts, for their history. */
async function Accounts({ searchParams }: { readonly searchParams: SearchParams }) {
  const { t } = await getWords();
  const q = single((await searchParams).q)
    ?.trim()
    .slice(0, MAX_QUERY);
  return (
    <>
      <SearchField
        action="/desk/accounts"
        q={q}
        label={t("desk.find")}
        placeholder={t("desk.findHint")}
        go={t("search.go")}
      />
      {q ? <Found q={q} /> : <EmptyState title={t("desk.find")}>{t("desk.findLead")}</EmptyState>}
    </>
  );
}

async function Found({ q }: { readonly q: string }) {
  const { t } = await getWords();
  const list = await deskAccounts(q);
  if (!list?.ok) return <ErrorNote>{list?.message}</ErrorNote>;
  const { accounts } = list.value;
  if (accounts.length === 0) return <p className="text-soft">{t("desk.none")}</p>;
  return (
    <ul aria-label={t("desk.accounts")} className="divide-y overflow-hidden rounded-sheet border bg-sheet">
      {accounts.map(({ userId, nickname, profileImage, role }) => (
        <li key={userId} className="ease relative flex min-h-14 items-center gap-3 px-4 py-2 hover:bg-wash">
          <Avatar userId={userId} image={profileImage} size="md" />
          <Link
            href={`/desk/accounts/${userId}`}
            prefetch={false}
            className="stretched min-w-0 flex-1 truncate font-medium"
          >
            {nickname}
          </Link>
          {role ? <Badge>{t(`desk.role.${role}`)}</Badge> : null}
        </li>
      ))}
    </ul>
  );
}
