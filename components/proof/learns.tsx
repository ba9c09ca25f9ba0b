import { Eye, EyeOff } from "lucide-react";
import type { ReactNode } from "react";
import { useWords } from "#words";
import { cx } from "@/components/ui/cx";
import { countriesOr } from "@/lib/i18n/countries";
import type { Words } from "@/lib/i18n/words";
import { hiddenBy } from "@/lib/proofs/hidden";
import { type RevealedFact, revealedBy } from "@/lib/proofs/revealed";
import { circuitIn, type Demand } from "./demand";

interface Lists {
  readonly title: string;
  readonly learns: readonly string[];
  readonly hidden: readonly string[];
  /** What our prover reads, and what the code could give away. */
  readonly remarks: string;
}

/** Returns what a demand discloses to us, what it hides, and other remarks. */
export function listsOf(words: Words, demand: Demand): Lists {
  const circuit = circuitIn(demand);
  const rule = demand.kind === "wallet" ? demand.statement.list : null;
  // The proof of an action answers a contract, which everyone can read.
  const isPublic = demand.kind === "wallet" && demand.authorizes === true;
  const reads = words.t(demand.kind === "domain" ? "prover.readsToken" : "prover.readsWallet");
  const code = words.t(isPublic ? "petition.recognisable" : "signIn.recognisable");
  return {
    title: words.t(isPublic ? "petition.learnsTitle" : "signIn.learns"),
    learns: revealedBy(circuit).flatMap((fact) => learnt(words, demand, fact)),
    hidden: hiddenBy(circuit, rule).map((fact) => words.t(`seal.hides.${fact}`)),
    remarks: `${reads} ${code}`,
  };
}

/** Returns a fact that the proof reveals as this demand says it: with the domain, list or action that it names. */
function learnt(words: Words, demand: Demand, fact: RevealedFact): readonly string[] {
  const authorizes = demand.kind === "wallet" && demand.authorizes === true;
  switch (fact) {
    case "domain":
      return demand.kind === "domain" && demand.domain
        ? [words.t("signIn.thatDomain", { domain: demand.domain })]
        : [words.t("seal.reveals.domain")];
    case "countries": {
      const rule = demand.kind === "wallet" ? demand.statement.list : null;
      if (!rule) return [words.t("seal.reveals.countries")];
      const list = countriesOr(words, rule.countries);
      return [words.t(rule.isIncluded ? "seal.sees.countries" : "seal.sees.notCountries", { list })];
    }
    case "code":
      return [words.t(authorizes ? "petition.learnsCode" : "seal.reveals.code")];
    case "vouched":
      // The sentence about the action says it.
      return authorizes ? [] : [words.t("seal.reveals.vouched")];
    case "action":
      return authorizes ? [words.t("petition.learnsAction")] : [];
    default:
      return [words.t(`seal.reveals.${fact}`)];
  }
}

/** Shows what we learn from the proof next to what stays hidden. */
export function Learns({ demand, narrow }: { readonly demand: Demand; readonly narrow?: boolean }) {
  const words = useWords();
  const { title, learns, hidden, remarks } = listsOf(words, demand);
  return (
    <div className={cx("grid gap-4", !narrow && "sm:grid-cols-2")}>
      <Half title={title} icon={<Eye className="size-4 text-soft" aria-hidden />} items={learns} />
      <Half
        title={words.t("seal.whatStaysHidden")}
        icon={<EyeOff className="size-4 text-soft" aria-hidden />}
        items={hidden}
      />
      <p className={cx("text-sm text-soft", !narrow && "sm:col-span-2")}>{remarks}</p>
    </div>
  );
}

interface HalfProps {
  readonly title: string;
  readonly icon: ReactNode;
  readonly items: readonly string[];
}

function Half({ title, icon, items }: HalfProps) {
  return (
    <section>
      <h2 className="mb-2 flex items-center gap-2 text-sm font-semibold">
        {icon}
        {title}
      </h2>
      <ul className="grid list-disc gap-1 ps-5 text-soft">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </section>
  );
}
