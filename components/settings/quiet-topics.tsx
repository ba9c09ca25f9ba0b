"use client";

import Link from "next/link";
import { useWords } from "#words";
import { useOptimisticRows } from "@/components/staff/use-optimistic-rows";
import { Title } from "@/components/text/title";
import { Button } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import type { contract, ResponseBody } from "@/lib/contract";

type QuietTopic = ResponseBody<typeof contract.notifications.settings>["topics"][number];

const keyOf = ({ topicId }: QuietTopic) => topicId;

/** Topics that the reader muted or wants less of, each with buttons that undo it. */
export function QuietTopics({ topics }: { readonly topics: readonly QuietTopic[] }) {
  const { t } = useWords();
  const { shown, change, list } = useOptimisticRows(topics, keyOf);
  const unmute = (row: QuietTopic) =>
    void change({
      row,
      to: row.level === "all" ? null : { ...row, isMuted: false },
      work: ({ api, contract }) => api.call(contract.topics.unmute, { topicId: row.topicId }),
      done: t("topicAlerts.unmuted"),
    });
  const wantAll = (row: QuietTopic) =>
    void change({
      row,
      to: row.isMuted ? { ...row, level: "all" } : null,
      work: ({ api, contract }) =>
        api.call(contract.topics.setNotifications, { topicId: row.topicId, level: "all" }),
      done: t("topicAlerts.chosen.all"),
      outdated: ["topic_not_found", "not_a_member"],
    });
  return (
    <ul
      ref={list}
      tabIndex={-1}
      aria-label={t("topicAlerts.topics")}
      className={cx("divide-y outline-none", shown.length > 0 && "border-y")}
    >
      {shown.map((row) => (
        <li key={row.topicId} className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
          <div className="grid min-w-0 flex-1 gap-0.5">
            <Link href={`/topics/${row.topicId}`} className="link truncate" dir="auto">
              <Title of={row.title} />
            </Link>
            <p className="text-sm text-soft">
              {[
                row.isMuted ? t("topicAlerts.isMuted") : null,
                row.level === "all" ? null : t(`topicAlerts.levels.${row.level}`),
              ]
                .filter((part) => part !== null)
                .join(" · ")}
            </p>
          </div>
          {row.isMuted ? (
            <Button
              size="sm"
              aria-label={t("topicAlerts.unmuteOf", { topic: row.title })}
              onClick={() => unmute(row)}
            >
              {t("topicAlerts.unmute")}
            </Button>
          ) : null}
          {row.level === "all" ? null : (
            <Button
              size="sm"
              aria-label={t("topicAlerts.wantAllOf", { topic: row.title })}
              onClick={() => wantAll(row)}
            >
              {t("topicAlerts.levels.all")}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
