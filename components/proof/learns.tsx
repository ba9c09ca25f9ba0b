import { Eye, EyeOff } from "lucide-react";
import type { ReactNode } from "react";
import { useWords } from "#words";
import { cx } from "@/components/ui/cx";
import { countriesOr } from "@/lib/i18n/countries";
import type { Words } from "@/lib/i18n/words";
import type { Demand } from "./demand";
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
  if (demand.kind === "domain") {
    const { domain } = demand;
    return {
      title: words.t("signIn.learns"),
      learns: [
        domain ? words.t("signIn.thatDomain", { domain }) : words.t("signIn.domainOf"),
        words.t("signIn.learnsCode"),
        words.t("signIn.learnsSigner"),
      ],
      hidden: [
        words.t("signIn.hiddenList.address"),
        words.t("signIn.hiddenList.name"),
        words.t("signIn.hiddenList.token"),
      ],
      besides: `${words.t("prover.neverUs")} ${words.t("signIn.recognisable")}`,
    };
  }
  return demand.authorises
    ? {
        title: words.t("petition.learnsTitle"),
        learns: [words.t("petition.learnsAction"), words.t("petition.learnsCode")],
        hidden: walletHides(words),
        // An action's proof is always bought.
        besides: `${words.t("attested.proverSees")} ${words.t("petition.recognisable")}`,
      }
    : walletLists(words, demand.statement.list);
}

function walletHides({ t }: Words): readonly string[] {
  return [t("attested.hidden.address"), t("attested.hidden.name"), t("attested.hidden.attestation")];
}

function walletLists(words: Words, rule: CountryRule | null): Lists {
  const besides = words.t("signIn.recognisable");
  const learnsCode = words.t("attested.learnsCode");
  const hidden = walletHides(words);
  const title = words.t("signIn.learns");
  if (!rule) return { title, learns: [words.t("attested.learnsPerson"), learnsCode], hidden, besides };
  const names = countriesOr(words, rule.countries);
  if (!rule.isIncluded) {
    const learns = [words.t("seal.sees.notCountries", { list: names }), learnsCode];
    return { title, learns, hidden: [words.t("attested.hiddenWhere"), ...hidden], besides };
  }
  // Of one country there is nothing left to hide.
  const which = rule.countries.length > 1 ? [words.t("attested.hiddenCountry")] : [];
  return {
    title,
    learns: [words.t("seal.sees.countries", { list: names }), learnsCode],
    hidden: [...which, ...hidden],
    besides,
  };
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
