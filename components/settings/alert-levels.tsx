"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { useWords } from "#words";
import { useOptimisticRows } from "@/components/staff/use-optimistic-rows";
import { Title } from "@/components/text/title";
import { Button } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import type { contract, ResponseBody } from "@/lib/contract";

type Settings = ResponseBody<typeof contract.notifications.settings>;
type ChosenTopic = Settings["topics"][number];
type ChosenThread = Settings["threads"][number];

const topicOf = ({ topicId }: ChosenTopic) => topicId;
const postOf = ({ postId }: ChosenThread) => postId;

/** Topics that the reader muted, watches or wants less of, each with buttons that undo it. */
export function ChosenTopics({ topics }: { readonly topics: readonly ChosenTopic[] }) {
  const { t } = useWords();
  const { shown, change, list } = useOptimisticRows(topics, topicOf);
  const unmute = (row: ChosenTopic) =>
    void change({
      row,
      to: row.level === "all" ? null : { ...row, isMuted: false },
      work: ({ api, contract }) => api.call(contract.topics.unmute, { topicId: row.topicId }),
      done: t("topicAlerts.unmuted"),
    });
  const wantAll = (row: ChosenTopic) =>
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
        <Row
          key={row.topicId}
          href={`/topics/${row.topicId}`}
          title={row.title}
          levels={[
            row.isMuted ? t("topicAlerts.isMuted") : null,
            row.level === "all" ? null : t(`topicAlerts.levels.${row.level}`),
          ]}
        >
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
        </Row>
      ))}
    </ul>
  );
}

/** Threads that the reader watches, muted or does not follow, each with a button that undoes it. */
export function ChosenThreads({ threads }: { readonly threads: readonly ChosenThread[] }) {
  const { t } = useWords();
  const { shown, change, list } = useOptimisticRows(threads, postOf);
  const follow = (row: ChosenThread) =>
    void change({
      row,
      to: null,
      work: ({ api, contract }) =>
        api.call(contract.posts.setNotifications, { postId: row.postId, level: "follow" }),
      done: t("threadAlerts.chosen.follow"),
      outdated: ["post_not_found", "not_a_member"],
    });
  return (
    <ul
      ref={list}
      tabIndex={-1}
      aria-label={t("threadAlerts.threads")}
      className={cx("divide-y outline-none", shown.length > 0 && "border-y")}
    >
      {shown.map((row) => (
        <Row
          key={row.postId}
          href={`/posts/${row.postId}`}
          title={row.title}
          levels={[t(`threadAlerts.levels.${row.level}`)]}
        >
          <Button
            size="sm"
            aria-label={t("threadAlerts.followOf", { post: row.title })}
            onClick={() => follow(row)}
          >
            {t("threadAlerts.levels.follow")}
          </Button>
        </Row>
      ))}
    </ul>
  );
}

interface RowProps {
  readonly href: string;
  readonly title: string;
  readonly levels: readonly (string | null)[];
  /** Buttons. */
  readonly children: ReactNode;
}

function Row({ href, title, levels, children }: RowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <div className="grid min-w-0 flex-1 gap-0.5">
        <Link href={href} className="link truncate" dir="auto">
          <Title of={title} />
        </Link>
        <p className="text-sm text-soft">{levels.filter((part) => part !== null).join(" · ")}</p>
      </div>
      {children}
    </li>
  );
}
