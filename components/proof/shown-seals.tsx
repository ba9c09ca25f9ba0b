import { useWords } from "#words";
import type { PersonView } from "@/lib/contract/people";
import { monthOf } from "@/lib/i18n/time";
import { SealMark } from "./seal-mark";

/** What a member shows that they have proven: the domain, who vouched for it and since when, and what it does not tell. */
export function ShownSeals({ of }: { readonly of: PersonView["seals"] }) {
  const words = useWords();
  const { t } = words;
  return (
    <ul className="grid gap-3">
      {of.map(({ domain, vouchedBy, provenIn }) => (
        <li key={domain} className="flex items-start gap-3">
          <SealMark kind="domain" size="md" className="shrink-0" />
          <div className="min-w-0">
            <p className="font-medium break-words">@{domain}</p>
            <p className="text-sm text-soft">
              {vouchedBy
                ? t("card.provenBy", { month: monthOf(words, provenIn), voucher: vouchedBy })
                : t("card.proven", { month: monthOf(words, provenIn) })}
            </p>
            <p className="mt-1 text-sm text-soft">{t("card.means", { domain })}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
