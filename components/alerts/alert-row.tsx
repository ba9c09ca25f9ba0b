"use client";

import {
  AtSign,
  DoorOpen,
  Flag,
  Link2,
  type LucideIcon,
  MessageSquare,
  MessagesSquare,
  ShieldAlert,
  UserRoundCog,
} from "lucide-react";
import Link from "next/link";
import { useWords } from "#words";
import { cx } from "@/components/ui/cx";
import { Avatar } from "@/components/ui/identicon";
import { TimeAgo } from "@/components/ui/time-ago";
import type { Notification, NotificationKind } from "@/lib/contract";
import { exactTime } from "@/lib/i18n/time";
import { placeOf } from "./place";
import { alertSentence } from "./sentence";

const icons: Readonly<Record<NotificationKind, LucideIcon>> = {
  reply: MessageSquare,
  mention: AtSign,
  chat_mention: MessagesSquare,
  join_request: DoorOpen,
  join_approved: DoorOpen,
  join_rejected: DoorOpen,
  role_changed: UserRoundCog,
  ownership_received: UserRoundCog,
  post_recorded: Link2,
  report_opened: Flag,
  post_hidden: ShieldAlert,
  post_shown: ShieldAlert,
  post_removed: ShieldAlert,
  comment_hidden: ShieldAlert,
  comment_shown: ShieldAlert,
  comment_removed: ShieldAlert,
  member_removed: ShieldAlert,
  member_muted: ShieldAlert,
  member_unmuted: ShieldAlert,
  member_banned: ShieldAlert,
  member_unbanned: ShieldAlert,
};

export interface AlertRowProps {
  readonly alert: Notification;
  readonly onOpen: () => void;
}

/** One alert: who or what, the sentence, some of the words it is about. Opening it marks it as read. */
export function AlertRow({ alert, onOpen }: AlertRowProps) {
  const words = useWords();
  const place = placeOf(alert);
  const Icon = icons[alert.kind];
  const sentence = alertSentence(words, alert);
  const until = alert.details.until;
  return (
    <article
      className={cx(
        "relative flex gap-3 px-3 py-4 sm:px-4",
        alert.isRead ? "" : "bg-sea-wash",
        place && "hover:bg-wash",
      )}
    >
      <span className="relative h-fit">
        {alert.actor ? (
          <Avatar userId={alert.actor.userId} image={alert.actor.profileImage} size="md" />
        ) : (
          <span className="inline-flex size-9 items-center justify-center rounded-full bg-wash">
            <Icon className="size-4 text-soft" aria-hidden />
          </span>
        )}
        {alert.actor ? (
          <span className="absolute -end-1 -bottom-1 inline-flex size-5 items-center justify-center rounded-full border bg-sheet">
            <Icon className="size-3 text-soft" aria-hidden />
          </span>
        ) : null}
      </span>
      <div className="grid min-w-0 flex-1 gap-1">
        <p className={cx("text-base", alert.isRead ? "" : "font-medium")} dir="auto">
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
        {alert.excerpt ? (
          <p className="line-clamp-2 text-soft" dir="auto">
            {alert.excerpt}
          </p>
        ) : null}
        {alert.reason ? (
          <p className="text-sm text-soft" dir="auto">
            {words.t("alerts.reason", { reason: alert.reason })}
          </p>
        ) : null}
        {until ? (
          <p className="text-sm text-soft" suppressHydrationWarning>
            {words.t("alerts.until", { when: exactTime(words, new Date(until)) })}
          </p>
        ) : null}
        <p className="flex items-center gap-2 text-sm text-soft">
          <TimeAgo at={alert.createdAt} />
          {alert.topicTitle ? (
            <>
              <span aria-hidden="true">·</span>
              <span className="truncate" dir="auto">
                {alert.topicTitle}
              </span>
            </>
          ) : null}
        </p>
      </div>
      {alert.isRead ? null : (
        <span className="mt-1.5 size-2.5 shrink-0 rounded-full bg-sea">
          <span className="sr-only">{words.t("alerts.unread")}</span>
        </span>
      )}
    </article>
  );
}
