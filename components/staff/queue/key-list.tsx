import { useWords } from "#words";
import { Panel } from "@/components/shell/panel";
import type { QueueSource } from "./case";
import { QUEUE_KEYS, type QueueCommand } from "./keys";

/** Commands that only one of the queues has. */
const ONLY: Readonly<Record<QueueSource, readonly QueueCommand[]>> = {
  desk: ["claim", "files"],
  staff: ["approve"],
};

/** The keys of a queue and what they do. */
export function KeyList({ source }: { readonly source: QueueSource }) {
  const { t } = useWords();
  const others = ONLY[source === "desk" ? "staff" : "desk"];
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-3 gap-y-1.5 text-sm">
      {QUEUE_KEYS.filter(([command]) => !others.includes(command)).map(([command, keys]) => (
        <div key={command} className="contents">
          <dt className="flex gap-1">
            {keys.map((key) => (
              <kbd
                key={key}
                className="min-w-6 rounded-control border border-line-strong bg-wash px-1.5 text-center font-mono whitespace-nowrap"
              >
                {key}
              </kbd>
            ))}
          </dt>
          <dd>{t(`queue.keys.${command}`)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The keys beside a queue. */
export function KeysPanel({ source }: { readonly source: QueueSource }) {
  const { t } = useWords();
  return (
    <Panel title={t("queue.keysTitle")}>
      <p className="text-sm text-soft">{t("queue.keysText")}</p>
      <KeyList source={source} />
    </Panel>
  );
}
