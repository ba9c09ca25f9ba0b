import { AccountActs } from "@/components/desk/account-acts";
import { AccountSanctions } from "@/components/desk/account-sanctions";
import { Section } from "@/components/shell/panel";
import { Badge } from "@/components/ui/badge";
import { Hash } from "@/components/ui/hash";
import { Avatar } from "@/components/ui/identicon";
import { EmptyState, Note } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { type DeskViewer, deskAccount } from "../../../_data/desk";
import { pageHead } from "../../../_data/head";
import { withWords } from "../../../_parts/words";
import { deskPage } from "../../_parts/desk-page";

export const generateMetadata = pageHead((t) => `${t("desk.accounts")} · ${t("desk.title")}`);

export default withWords(["desk", "proveAgain", "queue", "reason", "staff"], deskPage("accounts", Account));

interface AccountProps {
  readonly params: Promise<{ readonly userId: string }>;
  readonly viewer: DeskViewer;
}

/** The history of an account with the operators, and what they can do to it. */
async function Account({ params, viewer }: AccountProps) {
  const { t } = await getWords();
  const { userId } = await params;
  const found = /^[\w-]{1,100}$/.test(userId) ? await deskAccount(userId) : null;
  if (!found?.ok) return <EmptyState title={t("desk.accountGone")}>{t("desk.accountGoneText")}</EmptyState>;
  const { user, role, sanctions, reportsAbout, reportsBy } = found.value;
  const isOperator = viewer.role === "operator";
  return (
    <>
      <div className="flex items-center gap-4">
        <Avatar userId={user.userId} image={user.profileImage} size="lg" />
        <div className="grid min-w-0 gap-1">
          <h2 className="flex flex-wrap items-center gap-2 font-serif text-2xl font-semibold">
            <span className="min-w-0 truncate">{user.nickname}</span>
            {role ? <Badge>{t(`desk.role.${role}`)}</Badge> : null}
          </h2>
          <p className="text-sm text-soft">
            <Hash value={user.userId} label={t("desk.userId")} />
          </p>
        </div>
      </div>
      <Section id="sanctions" title={t("desk.sanctions")}>
        {sanctions.length > 0 ? (
          <AccountSanctions user={user} sanctions={sanctions} mayLift={isOperator} />
        ) : (
          <p className="text-soft">{t("desk.noSanctions")}</p>
        )}
      </Section>
      <div className="grid gap-5 border-t pt-5 sm:grid-cols-2">
        <Counts title={t("desk.about")} counts={reportsAbout} />
        <Counts title={t("desk.byThem")} counts={reportsBy} />
      </div>
      {isOperator ? (
        <Section id="acts" title={t("desk.acts")}>
          {role ? <Note>{t("desk.protected")}</Note> : null}
          <AccountActs user={user} isProtected={role !== null} />
        </Section>
      ) : null}
    </>
  );
}

interface CountsProps {
  readonly title: string;
  readonly counts: Readonly<Record<"open" | "resolved" | "dismissed", number>>;
}

async function Counts({ title, counts }: CountsProps) {
  const { t } = await getWords();
  return (
    <section className="grid content-start gap-2">
      <h2 className="text-sm font-semibold">{title}</h2>
      <dl className="grid grid-cols-3 gap-2">
        {(["open", "resolved", "dismissed"] as const).map((name) => (
          <div key={name} className="grid gap-0.5 rounded-control border bg-sheet px-3 py-2">
            <dt className="text-sm text-soft">{t(`desk.${name}`)}</dt>
            <dd className="text-xl font-semibold tabular-nums">{counts[name]}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
