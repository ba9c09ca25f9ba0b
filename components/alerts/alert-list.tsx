"use client";

import { useEffect, useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { toast } from "@/components/ui/toast";
import type { contract, Notification, ResponseBody } from "@/lib/contract";
import { AlertRow } from "./alert-row";
import { useUnread } from "./bell";
import { onAlert, setUnread } from "./store";

export interface AlertListProps {
  readonly first: ResponseBody<typeof contract.notifications.list>;
}

/** Alerts, latest first. What arrives waits on top until it is asked for: nothing moves under a reader's eyes. */
export function AlertList({ first }: AlertListProps) {
  const words = useWords();
  const { t } = words;
  const [shown, setShown] = useState<readonly Notification[]>(first.notifications);
  const [waiting, setWaiting] = useState<readonly Notification[]>([]);
  const [next, setNext] = useState(first.nextCursor);
  const [busy, setBusy] = useState<"more" | "read" | null>(null);
  const unread = useUnread(first.unreadCount);

  useEffect(() => onAlert((one) => setWaiting((list) => [one, ...without(list, one)])), []);

  const markRead = (isMeant: (alert: Notification) => boolean) => {
    const mark = (list: readonly Notification[]) =>
      list.map((alert) => (isMeant(alert) ? { ...alert, isRead: true } : alert));
    setShown(mark);
    setWaiting(mark);
  };
  const open = async (alert: Notification) => {
    if (alert.isRead) return;
    markRead(({ id }) => id === alert.id);
    // Failing costs nothing: it stays unread on the server and shows so next time.
    const answer = await callApi(words, ({ api, contract }) =>
      api.call(contract.notifications.read, { ids: [alert.id] }),
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
          {shown.map((alert) => (
            <li key={alert.id}>
              <AlertRow alert={alert} onOpen={() => void open(alert)} />
            </li>
          ))}
        </ul>
      )}
      {next ? (
        <div className="flex justify-center">
          <Button busy={busy === "more"} onClick={() => void more()}>
            {t("alerts.more")}
          </Button>
        </div>
      ) : null}
    </section>
  );
}

function without(list: readonly Notification[], one: Notification): readonly Notification[] {
  return list.filter(({ id }) => id !== one.id);
}
