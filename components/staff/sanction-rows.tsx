"use client";

import { useWords } from "#words";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Avatar } from "@/components/ui/identicon";
import { TimeAgo } from "@/components/ui/time-ago";
import type { Sanction } from "@/lib/contract/moderation";
import { Until } from "./until";
import { useOptimisticRows } from "./use-optimistic-rows";

export interface SanctionRowsProps {
  readonly topicId: string;
  readonly sanctions: readonly Sanction[];
}

const keyOf = ({ user, kind }: Sanction) => `${kind} ${user.userId}`;

/** Mutes and bans, with a button to lift them. Lifting shows at once; a refusal restores the row. */
export function SanctionRows({ topicId, sanctions }: SanctionRowsProps) {
  const { t } = useWords();
  const { shown, change, list } = useOptimisticRows(sanctions, keyOf);
  const lift = (row: Sanction) => {
    const { user, kind } = row;
    void change({
      row,
      to: null,
      work: ({ api, contract }) => api.call(contract.moderation.lift, { topicId, userId: user.userId, kind }),
      done: t(kind === "mute" ? "staff.liftedMute" : "staff.liftedBan", { name: user.nickname }),
      outdated: ["sanction_not_found"],
    });
  };
  return (
    <ul
      ref={list}
      tabIndex={-1}
      aria-label={t("staff.sanctioned")}
      className="divide-y border-y outline-none"
    >
      {shown.map((row) => {
        const name = row.user.nickname;
        const isMute = row.kind === "mute";
        return (
          <li key={keyOf(row)} className="flex flex-wrap items-start gap-x-3 gap-y-2 py-3 sm:flex-nowrap">
            <Avatar userId={row.user.userId} image={row.user.profileImage} size="md" />
            <div className="grid min-w-0 flex-1 gap-0.5">
              <p className="flex flex-wrap items-center gap-x-2">
                <span className="truncate font-medium">{name}</span>
                <Badge tone="warning">{t(isMute ? "staff.isMuted" : "staff.isBanned")}</Badge>
                <span className="text-sm text-soft">
                  <Until at={row.until} />
                </span>
              </p>
              <p dir="auto">{row.reason}</p>
              <p className="text-sm text-soft">
                {t("staff.by", { name: row.createdBy.nickname })} · <TimeAgo at={row.createdAt} />
              </p>
            </div>
            {row.abilities.includes("lift") ? (
              <Button
                size="sm"
                aria-label={t(isMute ? "staff.unmuteOf" : "staff.unbanOf", { name })}
                onClick={() => lift(row)}
              >
                {t(isMute ? "staff.unmute" : "staff.unban")}
              </Button>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}
