import { Eye, EyeOff } from "lucide-react";
import type { ReactNode } from "react";
import { useWords } from "#words";
import { cx } from "@/components/ui/cx";
import { countriesOr } from "@/lib/i18n/countries";
import type { Words } from "@/lib/i18n/words";
import { hiddenBy } from "@/lib/proofs/hidden";
import { circuitIn, type Demand } from "./demand";
import type { CountryRule } from "./run/types";

interface Lists {
  readonly title: string;
  readonly learns: readonly string[];
  readonly hidden: readonly string[];
  /** Other remarks; what the prover sees is explained where it is chosen. */
  readonly remarks: string;
}

/** Returns what a demand discloses to us, what it hides, and other remarks. */
export function listsOf(words: Words, demand: Demand): Lists {
  const rule = demand.kind === "wallet" ? demand.statement.list : null;
  const hidden = hiddenBy(circuitIn(demand), rule).map((fact) => words.t(`seal.hides.${fact}`));
  if (demand.kind === "domain") {
    const { domain } = demand;
    return {
      title: words.t("signIn.learns"),
      learns: [
        domain ? words.t("signIn.thatDomain", { domain }) : words.t("signIn.domainOf"),
        words.t("signIn.learnsCode"),
        words.t("signIn.learnsSigner"),
      ],
      hidden,
      remarks: `${words.t("prover.neverUs")} ${words.t("signIn.recognisable")}`,
    };
  }
  return demand.authorizes
    ? {
        title: words.t("petition.learnsTitle"),
        learns: [words.t("petition.learnsAction"), words.t("petition.learnsCode")],
        hidden,
        // The proof of an action is always bought.
        remarks: `${words.t("attested.proverSees")} ${words.t("petition.recognisable")}`,
      }
    : {
        title: words.t("signIn.learns"),
        learns: [walletLearns(words, rule), words.t("signIn.learnsCode")],
        hidden,
        remarks: words.t("signIn.recognisable"),
      };
}

function walletLearns(words: Words, rule: CountryRule | null): string {
  if (!rule) return words.t("attested.learnsPerson");
  const list = countriesOr(words, rule.countries);
  return words.t(rule.isIncluded ? "seal.sees.countries" : "seal.sees.notCountries", { list });
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
