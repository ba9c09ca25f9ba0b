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
  /** Who learns. */
  readonly title: string;
  readonly learns: readonly string[];
  readonly hidden: readonly string[];
  /** What else has to be said of it; who sees more is said where the prover is chosen. */
  readonly besides: string | null;
}

/** What a demand tells us, what it does not, and what has to be said besides. */
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
      besides: `${words.t("prover.neverUs")} ${words.t("signIn.recognisable")}`,
    };
  }
  return demand.authorises
    ? {
        title: words.t("petition.learnsTitle"),
        learns: [words.t("petition.learnsAction"), words.t("petition.learnsCode")],
        hidden,
        // An action's proof is always bought.
        besides: `${words.t("attested.proverSees")} ${words.t("petition.recognisable")}`,
      }
    : {
        title: words.t("signIn.learns"),
        learns: [walletLearns(words, rule), words.t("attested.learnsCode")],
        hidden,
        besides: words.t("signIn.recognisable"),
      };
}

function walletLearns(words: Words, rule: CountryRule | null): string {
  if (!rule) return words.t("attested.learnsPerson");
  const list = countriesOr(words, rule.countries);
  return words.t(rule.isIncluded ? "seal.sees.countries" : "seal.sees.notCountries", { list });
}

/** What we learn from the proof, and what stays hidden; side by side. */
export function Learns({ demand, narrow }: { readonly demand: Demand; readonly narrow?: boolean }) {
  const words = useWords();
  const { title, learns, hidden, besides } = listsOf(words, demand);
  return (
    <div className={cx("grid gap-4", !narrow && "sm:grid-cols-2")}>
      <Half title={title} icon={<Eye className="size-4 text-soft" aria-hidden />} items={learns} />
      <Half
        title={words.t("signIn.hidden")}
        icon={<EyeOff className="size-4 text-soft" aria-hidden />}
        items={hidden}
      />
      <p className={cx("text-sm text-soft", !narrow && "sm:col-span-2")}>{besides}</p>
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
