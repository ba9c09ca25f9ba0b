import { Eye, EyeOff } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "@/components/ui/cx";
import { countriesOr } from "@/lib/i18n/countries";
import * as en from "@/lib/i18n/en";
import type { Demand } from "./demand";
import type { CountryRule } from "./run/types";

interface Lists {
  /** Who learns. */
  readonly title: string;
  readonly learns: readonly string[];
  readonly hidden: readonly string[];
  /** Who sees more than we do while the proof is made. */
  readonly prover: string;
}

function listsOf(demand: Demand): Lists {
  if (demand.kind === "domain") {
    const { domain } = demand;
    return {
      title: en.signIn.learns,
      learns: en.signIn.learnsList(domain ? en.signIn.thatDomain(domain) : en.signIn.domainOf),
      hidden: en.signIn.hiddenList,
      prover: en.signIn.proverSees,
    };
  }
  return demand.authorises
    ? {
        title: en.petition.learnsTitle,
        learns: [en.petition.learnsAction, en.petition.learnsCode],
        hidden: en.attested.hidden,
        prover: `${en.attested.proverSees} ${en.petition.recognisable}`,
      }
    : walletLists(demand.statement.list);
}

function walletLists(rule: CountryRule | null): Lists {
  const prover = `${en.attested.proverSees} ${en.attested.recognisable}`;
  const { learnsPerson, learnsCode, hidden } = en.attested;
  const title = en.signIn.learns;
  if (!rule) return { title, learns: [learnsPerson, learnsCode], hidden, prover };
  const names = countriesOr(rule.countries);
  if (!rule.isIncluded) {
    const learns = [en.seal.sees.notCountries(names), learnsCode];
    return { title, learns, hidden: [en.attested.hiddenWhere, ...hidden], prover };
  }
  // Of one country there is nothing left to hide.
  const which = rule.countries.length > 1 ? [en.attested.hiddenCountry] : [];
  return {
    title,
    learns: [en.seal.sees.countries(names), learnsCode],
    hidden: [...which, ...hidden],
    prover,
  };
}

/** What we learn from the proof, and what stays hidden; side by side. */
export function Learns({ demand, narrow }: { readonly demand: Demand; readonly narrow?: boolean }) {
  const { title, learns, hidden, prover } = listsOf(demand);
  return (
    <div className={cx("grid gap-4", !narrow && "sm:grid-cols-2")}>
      <Half title={title} icon={<Eye className="size-4 text-soft" aria-hidden />} items={learns} />
      <Half
        title={en.signIn.hidden}
        icon={<EyeOff className="size-4 text-soft" aria-hidden />}
        items={hidden}
      />
      <p className={cx("text-sm text-soft", !narrow && "sm:col-span-2")}>{prover}</p>
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
