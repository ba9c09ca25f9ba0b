import type { ReactNode } from "react";
import { useWords } from "#words";
import { Badge } from "@/components/ui/badge";
import { gateCircuit } from "@/lib/policy/gate";
import { hiddenBy } from "@/lib/proofs/hidden";
import type { PublicConfig } from "./config";
import { countryRuleOf, type GateTerms, gateSeal, gateSentence } from "./gate-words";
import { Seal } from "./seal";

export interface GateProps {
  readonly terms: GateTerms;
  readonly config: PublicConfig;
  /** Domains that this viewer shows next to their name. */
  readonly shownDomains: readonly string[];
  /** Whether this viewer has passed the gate; then the seal replaces the button. */
  readonly passed: boolean;
  /** False where the form below says that a development installation proves nothing. */
  readonly warns?: boolean;
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}

/** Hidden facts of which the gate mentions the first; the seal lists all. */
const MOST_TELLING = ["email", "country", "elsewhere", "wallet"] as const;

/** Shows what a topic requires, with the button that starts the proof or the seal of a passed gate. */
export function Gate({ terms, config, shownDomains, passed, warns = true, action, children }: GateProps) {
  const words = useWords();
  const open = terms.proofType === "none";
  const hidden =
    terms.proofType === "none" ? [] : hiddenBy(gateCircuit(terms.proofType), countryRuleOf(terms));
  const most = MOST_TELLING.find((fact) => hidden.includes(fact));
  return (
    <section aria-label={words.t("topic.gateTitle")} className="grid gap-4 rounded-sheet border bg-sheet p-4">
      <div className="grid gap-0.5">
        <p className="font-medium">{gateSentence(words, terms)}</p>
        {most ? <p className="text-sm text-soft">{words.t(`gate.hides.${most}`)}</p> : null}
      </div>
      {open ? null : (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <Seal facts={gateSeal(words, terms, config, shownDomains)} empty={!passed} />
          {passed ? <Badge tone="good">{words.t("gate.satisfied")}</Badge> : null}
        </div>
      )}
      {children}
      {action ? <div className="flex flex-wrap gap-2">{action}</div> : null}
      {!open && warns && config.srs === "development" ? (
        <p className="text-xs text-amber">{words.t("seal.development")}</p>
      ) : null}
    </section>
  );
}
