import { useWords } from "#words";
import { Panel } from "@/components/shell/panel";
import type { Topic } from "@/lib/contract";
import type { Words } from "@/lib/i18n/words";

type RuledTopic = Pick<Topic, "rules" | "slowModeSeconds" | "linksAfterPosts" | "reproveDays">;

/** Formats how long a member waits between two texts. */
export function paceOf({ t }: Words, seconds: number): string {
  if (seconds % 3600 === 0) return t("rules.hours", { n: seconds / 3600 });
  return seconds % 60 === 0 ? t("rules.minutes", { n: seconds / 60 }) : t("rules.seconds", { n: seconds });
}

/** Returns sentences about what a topic asks of those who write in it. */
function demandsOf(
  words: Words,
  { slowModeSeconds, linksAfterPosts, reproveDays }: Omit<RuledTopic, "rules">,
): string[] {
  const { t } = words;
  return [
    ...(reproveDays ? [t("rules.reprove", { n: reproveDays })] : []),
    ...(slowModeSeconds ? [t("rules.slowMode", { time: paceOf(words, slowModeSeconds) })] : []),
    ...(linksAfterPosts ? [t("rules.links", { n: linksAfterPosts })] : []),
  ];
}

/** The topic's own rules and demands, shown before joining and writing. Nothing where it has none. */
export function OwnRules({ topic }: { readonly topic: RuledTopic }) {
  const words = useWords();
  const demands = demandsOf(words, topic);
  if (!topic.rules && demands.length === 0) return null;
  return (
    <Panel title={words.t("rules.own")}>
      {topic.rules ? (
        <p className="max-w-[68ch] whitespace-pre-wrap" dir="auto">
          {topic.rules}
        </p>
      ) : null}
      {demands.length > 0 ? (
        <ul className="grid list-disc gap-1 ps-5 text-sm text-soft">
          {demands.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      ) : null}
    </Panel>
  );
}
