import { GrantRole } from "@/components/desk/grant-role";
import { RoleList } from "@/components/desk/role-list";
import { Section } from "@/components/shell/panel";
import { ErrorNote } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { type DeskViewer, deskOperators } from "../../_data/desk";
import { pageHead } from "../../_data/head";
import { withWords } from "../../_parts/words";
import { deskPage } from "../_parts/desk-page";

export const generateMetadata = pageHead((t) => `${t("desk.operators")} · ${t("desk.title")}`);

export default withWords(
  ["desk", "proveAgain", "queue", "reason", "staff"],
  deskPage("operators", Operators),
);

/** Who has a role on the installation; operators give and revoke them. */
async function Operators({ viewer }: { readonly viewer: DeskViewer }) {
  const { t } = await getWords();
  const list = await deskOperators();
  if (!list?.ok) return <ErrorNote>{list?.message}</ErrorNote>;
  const isOperator = viewer.role === "operator";
  return (
    <>
      <p className="max-w-[68ch] text-soft">
        {t("desk.operatorsLead")} {isOperator ? null : t("desk.onlyOperators")}
      </p>
      <RoleList operators={list.value.operators} mayRevoke={isOperator} />
      {isOperator ? (
        <Section id="grant" title={t("desk.grant")}>
          <GrantRole />
        </Section>
      ) : null}
    </>
  );
}
