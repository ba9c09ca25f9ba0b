import Link from "next/link";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Field, Input, Select } from "@/components/ui/field";
import { LIMITS } from "@/lib/contract/limits";

/** How long ago what is searched for may have been written. */
export const periods = ["day", "week", "month", "year"] as const;
export type Period = (typeof periods)[number];

export interface SearchFiltersProps {
  readonly q: string;
  readonly type: string | undefined;
  readonly author: string | undefined;
  /** Id of the topic that is searched. */
  readonly topic: string | undefined;
  readonly within: Period | undefined;
  /** Topics to choose from. */
  readonly topics: readonly { readonly id: string; readonly title: string }[];
  /** Address of the search without filters. */
  readonly clear: string;
}

/** The filters of a search as a form that works without JavaScript: author, topic and time. */
export function SearchFilters({ q, type, author, topic, within, topics, clear }: SearchFiltersProps) {
  const { t } = useWords();
  const isSet = Boolean(author || topic || within);
  return (
    <details open={isSet} className="pt-2">
      <summary className="tap w-fit cursor-pointer text-sm text-soft hover:text-ink">
        {t("search.filters")}
      </summary>
      <form action="/search" className="grid items-end gap-3 pt-2 sm:grid-cols-3">
        <input type="hidden" name="q" value={q} />
        {type ? <input type="hidden" name="type" value={type} /> : null}
        <Field label={t("search.author")}>
          {(control) => (
            <Input
              {...control}
              name="author"
              defaultValue={author}
              maxLength={LIMITS.search}
              autoCapitalize="none"
              spellCheck={false}
              placeholder="@"
            />
          )}
        </Field>
        <Field label={t("search.topic")}>
          {(control) => (
            <Select {...control} name="topic" defaultValue={topic ?? ""}>
              <option value="">{t("search.anyTopic")}</option>
              {topics.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={t("search.within")}>
          {(control) => (
            <Select {...control} name="within" defaultValue={within ?? ""}>
              <option value="">{t("search.anyTime")}</option>
              {periods.map((period) => (
                <option key={period} value={period}>
                  {t(`search.periods.${period}`)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <p className="flex flex-wrap items-center gap-4 sm:col-span-3">
          <Button type="submit" size="sm">
            {t("search.apply")}
          </Button>
          {isSet ? (
            <Link href={clear} className="link reach text-sm">
              {t("search.clearFilters")}
            </Link>
          ) : null}
        </p>
      </form>
    </details>
  );
}
