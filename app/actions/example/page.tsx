import type { Metadata } from "next";
import { PetitionFlow } from "@/components/actions/petition-flow";
import type { Demand } from "@/components/proof/demand";
import { Page } from "@/components/shell/page";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { ELIGIBLE_ACTION_SCOPE } from "@/contracts/eligible-action";
import { getWords } from "@/lib/i18n/server";
import { config } from "../../_data/reads";
import { LearnsBox } from "../../_parts/learns-box";
import { proofGroups, withWords } from "../../_parts/words";

export async function generateMetadata(): Promise<Metadata> {
  const { t } = await getWords();
  return { title: t("petition.title"), description: t("petition.lead") };
}

const CIRCUIT = "network_eligibility";

/** An action of an example contract that a proof authorizes. */
async function ExampleAction() {
  const { t } = await getWords();
  const settings = await config();
  const { petition } = settings;
  const offered = settings.attesters.some((attester) => attester.circuit === CIRCUIT);
  if (!petition || !offered) {
    return (
      <Page title={t("petition.title")} back="/docs">
        <EmptyState
          title={t("petition.none")}
          action={<ButtonLink href="/docs">{t("petition.toDocs")}</ButtonLink>}
        >
          {t("petition.noneHint")}
        </EmptyState>
      </Page>
    );
  }
  const demand: Extract<Demand, { kind: "wallet" }> = {
    kind: "wallet",
    authorizes: true,
    statement: { circuit: CIRCUIT, scope: ELIGIBLE_ACTION_SCOPE, list: null, action: null },
  };
  return (
    <Page title={t("petition.title")} back="/docs" aside={<LearnsBox demand={demand} />}>
      <p className="max-w-[60ch] text-lg text-soft">{t("petition.lead")}</p>
      <PetitionFlow config={settings} contract={petition} demand={demand} />
    </Page>
  );
}

export default withWords(proofGroups, ExampleAction);
