"use client";

import Link from "next/link";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { TimeAgo } from "@/components/ui/time-ago";
import { commentPlace } from "@/lib/client/places";
import type { AnonymousBan } from "@/lib/contract/anonymous";
import { exactTime } from "@/lib/i18n/time";
import { Until } from "./until";
import { useOptimisticRows } from "./use-optimistic-rows";

export interface AnonymousBanRowsProps {
  readonly topicId: string;
  readonly bans: readonly AnonymousBan[];
}

const keyOf = ({ id }: AnonymousBan) => id;

/** The bans of authors whom nobody knows, with a button to lift them. */
export function AnonymousBanRows({ topicId, bans }: AnonymousBanRowsProps) {
  const words = useWords();
  const { t } = words;
  const { shown, change, list } = useOptimisticRows(bans, keyOf);
  const lift = (row: AnonymousBan) =>
    void change({
      row,
      to: null,
      work: ({ api, contract }) => api.call(contract.anonymous.lift, { topicId, banId: row.id }),
      done: t("anonymous.bans.lifted"),
      outdated: ["ban_not_found"],
    });
  if (shown.length === 0) return null;
  return (
    <section className="grid gap-2">
      <h3 className="font-serif text-lg font-semibold">{t("anonymous.bans.title")}</h3>
      <p className="text-sm text-soft">{t("anonymous.bans.lead")}</p>
      <ul
        ref={list}
        tabIndex={-1}
        aria-label={t("anonymous.bans.title")}
        className="divide-y border-y outline-none"
      >
        {shown.map((row) => (
          <li key={row.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
            <div className="grid min-w-0 flex-1 gap-0.5">
              <p>
                <BannedText ban={row} />
              </p>
              <p className="text-sm text-soft">
                <Until at={row.until} /> · <TimeAgo at={row.createdAt} />
              </p>
            </div>
            <Button
              size="sm"
              aria-label={t("anonymous.bans.liftOf", { when: exactTime(words, new Date(row.until)) })}
              onClick={() => lift(row)}
            >
              {t("anonymous.bans.lift")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function BannedText({ ban: { postId, commentId } }: { readonly ban: AnonymousBan }) {
  const { t } = useWords();
  if (!postId) return t("anonymous.bans.gone");
  return (
    <Link
      href={commentId ? commentPlace(postId, commentId) : `/posts/${postId}`}
      prefetch={false}
      className="link"
    >
      {t("anonymous.bans.text")}
    </Link>
  );
}
