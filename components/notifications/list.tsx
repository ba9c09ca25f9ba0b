"use client";

import Link from "next/link";
import { useEffect, useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import { Button } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { Avatar } from "@/components/ui/identicon";
import { EmptyState } from "@/components/ui/notes";
import { TimeAgo } from "@/components/ui/time-ago";
import { toast } from "@/components/ui/toast";
import type { contract, Notification, ResponseBody } from "@/lib/contract";
import { exactTime } from "@/lib/i18n/time";
import { useUnread } from "./bell";
import { iconOf, placeOf, sentenceOf } from "./describe";
import { onNotification, setUnread } from "./store";

export interface NotificationListProps {
  readonly first: ResponseBody<typeof contract.notifications.list>;
}

/** Notifications, latest first. New ones wait behind a button, so that nothing moves while the reader reads. */
export function NotificationList({ first }: NotificationListProps) {
  const words = useWords();
  const { t } = words;
  const [shown, setShown] = useState<readonly Notification[]>(first.notifications);
  const [waiting, setWaiting] = useState<readonly Notification[]>([]);
  const [next, setNext] = useState(first.nextCursor);
  const [busy, setBusy] = useState<"more" | "read" | null>(null);
  const unread = useUnread(first.unreadCount);

  useEffect(() => onNotification((one) => setWaiting((list) => [one, ...without(list, one)])), []);

  const markRead = (isMeant: (notification: Notification) => boolean) => {
    const mark = (list: readonly Notification[]) =>
      list.map((notification) => (isMeant(notification) ? { ...notification, isRead: true } : notification));
    setShown(mark);
    setWaiting(mark);
  };
  const open = async (notification: Notification) => {
    if (notification.isRead) return;
    markRead(({ id }) => id === notification.id);
    // A failure is harmless: the notification shows as unread again next time.
    const answer = await callApi(words, ({ api, contract }) =>
      api.call(contract.notifications.read, { ids: [notification.id] }),
    );
    if (answer.ok) setUnread(answer.value.unreadCount);
  };
  const readAll = async () => {
    const latest = waiting[0] ?? shown[0];
    if (!latest) return;
    setBusy("read");
    const answer = await callApi(words, ({ api, contract }) =>
      api.call(contract.notifications.read, { upTo: latest.id }),
    );
    setBusy(null);
    if (!answer.ok) return toast({ tone: "wrong", text: answer.sentence });
    markRead(() => true);
    setUnread(answer.value.unreadCount);
  };
  const more = async () => {
    if (!next) return;
    setBusy("more");
    const answer = await callApi(words, ({ api, contract }) =>
      api.call(contract.notifications.list, { cursor: next }),
    );
    setBusy(null);
    if (!answer.ok) return toast({ tone: "wrong", text: answer.sentence });
    const page = answer.value;
    setShown((list) => [...list, ...page.notifications.filter(({ id }) => !list.some((o) => o.id === id))]);
    setNext(page.nextCursor);
  };
  const show = () => {
    setShown((list) => waiting.reduceRight((all, one) => [one, ...without(all, one)], list));
    setWaiting([]);
  };
  const isEmpty = shown.length === 0 && waiting.length === 0;
  return (
    <section aria-label={t("alerts.list")} className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div role="status">
          {waiting.length > 0 ? (
            <Button size="sm" onClick={show} className="rise">
              {t("alerts.show", { n: waiting.length })}
            </Button>
          ) : null}
        </div>
        {isEmpty ? null : (
          <Button
            size="sm"
            tone="quiet"
            busy={busy === "read"}
            disabled={unread === 0}
            onClick={() => void readAll()}
          >
            {t("alerts.markAll")}
          </Button>
        )}
      </div>
      {isEmpty ? (
        <EmptyState title={t("alerts.emptyTitle")}>{t("alerts.empty")}</EmptyState>
      ) : (
        <ul className="divide-y overflow-hidden rounded-sheet border bg-sheet">
          {shown.map((notification) => (
            <li key={notification.id}>
              <NotificationRow notification={notification} onOpen={() => void open(notification)} />
            </li>
          ))}
        </ul>
      )}
      {next ? (
        <div className="flex justify-center">
          <Button busy={busy === "more"} onClick={() => void more()}>
            {t("common.more")}
          </Button>
        </div>
      ) : null}
    </section>
  );
}

function without(list: readonly Notification[], one: Notification): readonly Notification[] {
  return list.filter(({ id }) => id !== one.id);
}

interface NotificationRowProps {
  readonly notification: Notification;
  readonly onOpen: () => void;
}

/** A notification: the actor, a sentence and an excerpt. Opening it marks it as read. */
function NotificationRow({ notification, onOpen }: NotificationRowProps) {
  const words = useWords();
  const place = placeOf(notification);
  const Icon = iconOf(notification);
  const sentence = sentenceOf(words, notification);
  const { until } = notification.details;
  return (
    <article
      className={cx(
        "relative flex gap-3 px-3 py-4 sm:px-4",
        notification.isRead ? "" : "bg-sea-wash",
        place && "hover:bg-wash",
      )}
    >
      <span className="relative h-fit">
        {notification.actor ? (
          <>
            <Avatar userId={notification.actor.userId} image={notification.actor.profileImage} size="md" />
            <span className="absolute -end-1 -bottom-1 inline-flex size-5 items-center justify-center rounded-full border bg-sheet">
              <Icon className="size-3 text-soft" aria-hidden />
            </span>
          </>
        ) : (
          <span className="inline-flex size-9 items-center justify-center rounded-full bg-wash">
            <Icon className="size-4 text-soft" aria-hidden />
          </span>
        )}
      </span>
      <div className="grid min-w-0 flex-1 gap-1">
        <p className={cx("text-base", notification.isRead ? "" : "font-medium")} dir="auto">
          {place ? (
            <Link
              href={place}
              prefetch={false}
              onClick={onOpen}
              className="stretched decoration-1 underline-offset-4 hover:underline"
            >
              {sentence}
            </Link>
          ) : (
            sentence
          )}
        </p>
        {notification.excerpt ? (
          <p className="line-clamp-2 text-soft" dir="auto">
            {notification.excerpt}
          </p>
        ) : null}
        {notification.reason ? (
          <p className="text-sm text-soft" dir="auto">
            {words.t("common.reason", { reason: notification.reason })}
          </p>
        ) : null}
        {until ? (
          <p className="text-sm text-soft" suppressHydrationWarning>
            {words.t("alerts.until", { when: exactTime(words, new Date(until)) })}
          </p>
        ) : null}
        <p className="flex items-center gap-2 text-sm text-soft">
          <TimeAgo at={notification.createdAt} />
          {notification.topicTitle ? (
            <>
              <span aria-hidden="true">·</span>
              <span className="truncate" dir="auto">
                {notification.topicTitle}
              </span>
            </>
          ) : null}
        </p>
      </div>
      {notification.isRead ? null : (
        <span className="mt-1.5 size-2.5 shrink-0 rounded-full bg-sea">
          <span className="sr-only">{words.t("alerts.unread")}</span>
        </span>
      )}
    </article>
  );
}
