import type { Metadata } from "next";
import { PetitionFlow } from "@/components/actions/petition-flow";
import type { Demand } from "@/components/proof/demand";
import { Learns } from "@/components/proof/learns";
import { Page } from "@/components/shell/page";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { ELIGIBLE_ACTION_SCOPE } from "@/contracts/eligible-action";
import * as en from "@/lib/i18n/en";
import { config } from "../../_data/reads";

export const metadata: Metadata = { title: en.petition.title, description: en.petition.lead };

const circuit = "network_eligibility";

/** One action of an example contract, authorised and carried out with a proof. */
export default async function ExampleAction() {
  const settings = await config();
  const { petition } = settings;
  const offered = settings.attesters.some((attester) => attester.circuit === circuit);
  if (!petition || !offered) {
    return (
      <Page title={en.petition.title} back="/docs">
        <EmptyState
          title={en.petition.none}
          action={<ButtonLink href="/docs">{en.petition.toDocs}</ButtonLink>}
        >
          {en.petition.noneHint}
        </EmptyState>
      </Page>
    );
  }
  const demand: Extract<Demand, { kind: "wallet" }> = {
    kind: "wallet",
    authorises: true,
    statement: { circuit, scope: ELIGIBLE_ACTION_SCOPE, list: null, action: null },
  };
  return (
    <Page
      title={en.petition.title}
      back="/docs"
      aside={
        <div className="rounded-sheet border bg-sheet p-4">
          <Learns demand={demand} narrow />
        </div>
      }
    >
      <p className="max-w-[60ch] text-lg text-soft">{en.petition.lead}</p>
      <PetitionFlow config={settings} contract={petition} demand={demand} />
    </Page>
  );
}
