import type { ReactNode } from "react";
import { useWords } from "#words";
import { Badge } from "@/components/ui/notes";
import type { Words } from "@/lib/i18n/words";
import type { PublicConfig } from "./config";
import { countryRuleOf, type GateTerms, gateSentence } from "./gate-words";
import { Seal } from "./seal";
import { gateSeal } from "./seal-facts";

export interface GateProps {
  readonly terms: GateTerms;
  readonly config: PublicConfig;
  /** Domains this viewer lets stand beside their name. */
  readonly shownDomains: readonly string[];
  /** True when this viewer has passed it: the seal stands instead of the button. */
  readonly passed: boolean;
  /** The button that satisfies it. */
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}

/** What does not show of somebody who has passed. */
function hiddenWords(words: Words, terms: GateTerms): string {
  if (terms.proofType === "kyc") return words.t("gate.hiddenPerson");
  const rule = countryRuleOf(terms);
  if (!rule) return words.t("gate.hidden");
  if (!rule.isIncluded) return words.t("gate.hiddenWhere");
  return rule.countries.length > 1 ? words.t("gate.hiddenCountry") : words.t("gate.hiddenPerson");
}

/** What a topic asks for, as a sentence, with the button that satisfies it or the seal that already does. */
export function Gate({ terms, config, shownDomains, passed, action, children }: GateProps) {
  const words = useWords();
  const open = terms.proofType === "none";
  const hidden = hiddenWords(words, terms);
  return (
    <section aria-label={words.t("topic.gateTitle")} className="grid gap-4 rounded-sheet border bg-sheet p-4">
      <div className="grid gap-0.5">
        <p className="font-medium">{gateSentence(words, terms)}</p>
        {open ? null : <p className="text-sm text-soft">{hidden}</p>}
      </div>
      {open ? null : (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <Seal facts={gateSeal(words, terms, config, shownDomains)} size="md" empty={!passed} />
          {passed ? <Badge tone="good">{words.t("gate.satisfied")}</Badge> : null}
        </div>
      )}
      {children}
      {action ? <div className="flex flex-wrap gap-2">{action}</div> : null}
      {!open && config.srs === "development" ? (
        <p className="text-xs text-amber">{words.t("seal.development")}</p>
      ) : null}
    </section>
  );
}
