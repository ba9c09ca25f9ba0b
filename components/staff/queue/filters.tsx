import Form from "next/form";
import Link from "next/link";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Field, Select } from "@/components/ui/field";
import { Pills } from "@/components/ui/pills";
import type { ReportedKind } from "@/lib/contract/moderation";
import type { CaseReason } from "@/lib/contract/queue";

/** What of a queue is shown. */
export interface QueueFilter {
  readonly reason?: CaseReason;
  readonly kind?: ReportedKind;
  readonly topicId?: string;
  /** Whether answered reports show too. */
  readonly status?: "all";
}

export interface QueueFiltersProps {
  readonly path: string;
  readonly filter: QueueFilter;
  readonly kinds: readonly ReportedKind[];
  readonly reasons: readonly CaseReason[];
  /** Topics to choose from; without them the chosen one shows by its name. */
  readonly topics?: readonly { readonly id: string; readonly label: string }[];
  /** Title of the chosen topic. */
  readonly topicTitle?: string | null;
  /** Whether the queue can show answered reports. */
  readonly showsAnswered?: boolean;
}

/** Returns the path of a queue with this filter. */
export function filteredPath(path: string, filter: QueueFilter, cursor?: string): string {
  const set = Object.entries({ ...filter, cursor }).filter((pair): pair is [string, string] =>
    Boolean(pair[1]),
  );
  return set.length > 0 ? `${path}?${new URLSearchParams(set)}` : path;
}

/** The filters of a queue, in its address: links and a form, which work without JavaScript. */
export function QueueFilters(props: QueueFiltersProps) {
  const { path, filter, kinds, reasons, topics = [], topicTitle, showsAnswered } = props;
  const { t } = useWords();
  return (
    <search aria-label={t("queue.filters")} className="grid gap-3">
      {showsAnswered ? (
        <Pills
          label={t("queue.status")}
          pills={([undefined, "all"] as const).map((value) => ({
            href: filteredPath(path, { ...filter, status: value }),
            label: t(value ? "common.all" : "reports.statuses.open"),
            current: filter.status === value,
          }))}
        />
      ) : null}
      <Form action={path} scroll={false} className="flex flex-wrap items-end gap-3">
        {filter.status ? <input type="hidden" name="status" value={filter.status} /> : null}
        {filter.topicId && topics.length === 0 ? (
          <input type="hidden" name="topicId" value={filter.topicId} />
        ) : null}
        <Choice
          name="reason"
          label={t("queue.reason")}
          value={filter.reason}
          options={reasons.map((value) => ({
            value,
            label: value === "review_words" ? t("queue.waits") : t(`report.reasons.${value}`),
          }))}
        />
        <Choice
          name="kind"
          label={t("queue.kind")}
          value={filter.kind}
          options={kinds.map((value) => ({ value, label: t(`queue.kinds.${value}`) }))}
        />
        {topics.length > 1 ? (
          <Choice
            name="topicId"
            label={t("queue.topic")}
            value={filter.topicId}
            options={topics.map(({ id, label }) => ({ value: id, label }))}
          />
        ) : null}
        <Button type="submit">{t("queue.filter")}</Button>
      </Form>
      {filter.topicId && topics.length === 0 ? (
        <p className="flex flex-wrap items-center gap-x-2 text-sm">
          <span className="text-soft">{t("queue.topic")}:</span>
          <bdi className="font-medium">{topicTitle ?? t("queue.goneTopic")}</bdi>
          <Link
            href={filteredPath(path, { ...filter, topicId: undefined })}
            scroll={false}
            className="link reach"
          >
            {t("queue.anyTopic")}
          </Link>
        </p>
      ) : null}
    </search>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

function Choice({ name, label, value, options }: ChoiceProps) {
  const { t } = useWords();
  return (
    <div className="min-w-36 flex-1">
      <Field label={label}>
        {(control) => (
          // A new address brings a new selection.
          <Select key={value} {...control} name={name} defaultValue={value ?? ""}>
            <option value="">{t("queue.any")}</option>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}
