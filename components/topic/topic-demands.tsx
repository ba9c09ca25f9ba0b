"use client";

import { useWords } from "#words";
import { Field, Select, TextAreaField } from "@/components/ui/field";
import type { Topic } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { paceOf } from "./own-rules";

/** What an owner asks of the members of a topic, as the form edits it. */
export interface Demands
  extends Pick<Topic, "reproveDays" | "slowModeSeconds" | "linksAfterPosts" | "anonymous"> {
  readonly rules: string;
  /** One per line. */
  readonly words: string;
}

const REPROVE_DAYS = [30, 90, 365] as const;
const PACES = [30, 60, 300, 900, 3600, 21_600, 86_400];
const ANONYMOUS = ["on", "comments", "off"] as const;
const LINKS_AFTER = [1, 3, 5, 10, 20];

/** Returns the words of a list, one per line. */
export function wordsOf(list: string): string[] {
  const words = list.split("\n").map((word) => word.trim());
  return [...new Set(words.filter(Boolean))];
}

/** Returns what is wrong with the list of words, or null. */
export function wordsProblem(list: string): "tooManyWords" | "longWord" | null {
  const words = wordsOf(list);
  if (words.length > LIMITS.topic.reviewWords) return "tooManyWords";
  return words.some((word) => word.length > LIMITS.topic.reviewWord) ? "longWord" : null;
}

export interface DemandFieldsProps {
  readonly demands: Demands;
  readonly set: (change: Partial<Demands>) => void;
  readonly isGated: boolean;
}

/** The fields of a topic's rules, freshness, pace, links, anonymous texts and words for review. */
export function DemandFields({ demands, set, isGated }: DemandFieldsProps) {
  const words = useWords();
  const { t } = words;
  const problem = wordsProblem(demands.words);
  const { reviewWords: max, reviewWord: length } = LIMITS.topic;
  /** The choices, with the current one where it is another. */
  const withCurrent = (choices: readonly number[], current: number | null) =>
    current && !choices.includes(current) ? [...choices, current].toSorted((a, b) => a - b) : choices;
  return (
    <fieldset className="grid gap-6">
      <legend className="mb-4 font-serif text-xl font-semibold">{t("editTopic.demands")}</legend>
      <TextAreaField
        label={t("rules.own")}
        hint={t("editTopic.rulesHint")}
        dir="auto"
        maxLength={LIMITS.topic.rules}
        value={demands.rules}
        onValue={(rules) => set({ rules })}
      />
      {isGated ? (
        <Field
          label={t("editTopic.reprove")}
          hint={t("editTopic.reproveHint", { days: LIMITS.topic.reproveNoticeDays })}
        >
          {(control) => (
            <Select
              {...control}
              value={demands.reproveDays ?? ""}
              onChange={({ target }) =>
                set({ reproveDays: REPROVE_DAYS.find((days) => String(days) === target.value) ?? null })
              }
            >
              <option value="">{t("editTopic.reproveNever")}</option>
              {REPROVE_DAYS.map((n) => (
                <option key={n} value={n}>
                  {t("editTopic.reproveAfter", { n })}
                </option>
              ))}
            </Select>
          )}
        </Field>
      ) : null}
      <Field label={t("editTopic.slowMode")} hint={t("editTopic.slowModeHint")}>
        {(control) => (
          <Select
            {...control}
            value={demands.slowModeSeconds ?? ""}
            onChange={({ target }) => set({ slowModeSeconds: Number(target.value) || null })}
          >
            <option value="">{t("editTopic.slowModeOff")}</option>
            {withCurrent(PACES, demands.slowModeSeconds).map((seconds) => (
              <option key={seconds} value={seconds}>
                {paceOf(words, seconds)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t("editTopic.links")} hint={t("editTopic.linksHint")}>
        {(control) => (
          <Select
            {...control}
            value={demands.linksAfterPosts}
            onChange={({ target }) => set({ linksAfterPosts: Number(target.value) })}
          >
            <option value={0}>{t("editTopic.linksAtOnce")}</option>
            {withCurrent(LINKS_AFTER, demands.linksAfterPosts).map((n) => (
              <option key={n} value={n}>
                {t("editTopic.linksAfter", { n })}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        label={t("editTopic.anonymous.label")}
        hint={t("editTopic.anonymous.hint", { n: LIMITS.anonymous.perDay })}
      >
        {(control) => (
          <Select
            {...control}
            value={demands.anonymous}
            onChange={({ target }) =>
              set({ anonymous: ANONYMOUS.find((mode) => mode === target.value) ?? "off" })
            }
          >
            {ANONYMOUS.map((mode) => (
              <option key={mode} value={mode}>
                {t(`editTopic.anonymous.${mode}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <TextAreaField
        label={t("editTopic.words")}
        hint={t("editTopic.wordsHint")}
        error={problem ? t(`editTopic.${problem}`, { max, length }) : null}
        dir="auto"
        autoCapitalize="none"
        spellCheck={false}
        value={demands.words}
        onValue={(list) => set({ words: list })}
      />
    </fieldset>
  );
}
