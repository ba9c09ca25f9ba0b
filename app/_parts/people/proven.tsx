import { useWords } from "#words";
import { chainName, type PublicConfig } from "@/components/proof/config";
import { listed } from "@/lib/i18n/time";
import type { Words } from "@/lib/i18n/words";
import type { CircuitId } from "@/lib/proofs/deployment";
import { hiddenBy } from "@/lib/proofs/hidden";
import { revealedBy } from "@/lib/proofs/revealed";
import { peopleCircuits } from "./sights";

/** What can be proven here: one sheet for each kind of proof, with what the registry says of it. */
export function Proven({ config }: { readonly config: PublicConfig }) {
  const words = useWords();
  const { t } = words;
  return (
    <ul className="grid gap-3">
      {peopleCircuits.map((circuit) => {
        const verifier = config.verifiers.find((one) => one.circuit === circuit);
        return (
          <li key={circuit} className="grid gap-3 rounded-sheet border bg-sheet p-4">
            <div className="grid gap-1">
              <h3 className="font-serif text-lg font-semibold">{t(`circuit.${circuit}.name`)}</h3>
              <p>{t(`circuit.${circuit}.about`)}</p>
            </div>
            <dl className="grid gap-3 sm:grid-cols-2">
              <Entry
                name={t("howItWorks.learn")}
                items={revealedBy(circuit).map((fact) => t(`seal.reveals.${fact}`))}
              />
              <Entry
                name={t("howItWorks.hidden")}
                items={hiddenBy(circuit).map((fact) => t(`seal.hides.${fact}`))}
              />
              <Entry name={t("howItWorks.confirmedBy")} items={[confirmedBy(words, config, circuit)]} />
              {verifier ? (
                <Entry
                  name={t("howItWorks.checkedBy")}
                  items={[t("howItWorks.contract", { chain: chainName(config, verifier.chainId) })]}
                />
              ) : null}
            </dl>
          </li>
        );
      })}
    </ul>
  );
}

/** Says who confirms what a proof of this circuit shows: identity providers or an attester. */
function confirmedBy(words: Words, config: PublicConfig, circuit: CircuitId): string {
  const { t } = words;
  if (circuit === "oidc_domain_attestation") {
    const providers = providersOf(words, config);
    return providers ? t("howItWorks.byProviders", { providers }) : t("howItWorks.byNoProvider");
  }
  const attester = config.attesters.find((one) => one.circuit === circuit);
  return attester
    ? t("howItWorks.byAttester", { chain: chainName(config, attester.chainId) })
    : t("howItWorks.byNoAttester");
}

/** Lists the identity providers, as text; empty without one. */
export function providersOf(words: Words, { issuers }: Pick<PublicConfig, "issuers">): string {
  return listed(words, [...new Set(issuers.map(({ label }) => label))]);
}

function Entry({ name, items }: { readonly name: string; readonly items: readonly string[] }) {
  return (
    <div>
      <dt className="text-sm font-semibold">{name}</dt>
      {items.map((item) => (
        <dd key={item} className="mt-1 text-soft">
          {item}
        </dd>
      ))}
    </div>
  );
}
