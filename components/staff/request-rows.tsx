"use client";

import type { ReactNode } from "react";
import { useWords } from "#words";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Avatar } from "@/components/ui/identicon";
import { TimeAgo } from "@/components/ui/time-ago";
import type { JoinRequest } from "@/lib/contract/members";
import { useOptimisticRows } from "./use-optimistic-rows";

export interface RequestRowsProps {
  readonly topicId: string;
  readonly requests: readonly JoinRequest[];
  /** What every applicant had to prove. */
  readonly proved: ReactNode;
  /** Whether decided requests stay in the list, with the decision. */
  readonly keepsDecided: boolean;
}

const DECISIONS = { approve: "approved", reject: "rejected" } as const;

/** Join requests. A decision shows at once; a refusal restores the request. */
export function RequestRows({ topicId, requests, proved, keepsDecided }: RequestRowsProps) {
  const { t } = useWords();
  const { shown, change, list } = useOptimisticRows(requests, ({ id }) => id);
  const decide = (row: JoinRequest, action: "approve" | "reject") => {
    const status = DECISIONS[action];
    void change({
      row,
      to: keepsDecided ? { ...row, status } : null,
      work: ({ api, contract }) => api.call(contract.requests.decide, { topicId, requestId: row.id, action }),
      done: t(`requests.${status}`, { name: row.nickname }),
      outdated: ["join_request_decided", "join_request_not_found"],
    });
  };
  return (
    <ul ref={list} tabIndex={-1} aria-label={t("requests.title")} className="divide-y border-y outline-none">
      {shown.map((row) => (
        <li key={row.id} className="flex flex-wrap items-center gap-x-3 gap-y-3 py-4">
          <Avatar userId={row.userId} image={row.profileImage} size="md" />
          <div className="grid min-w-0 flex-1 basis-52 gap-0.5">
            <p className="flex flex-wrap items-center gap-x-2">
              <span className="truncate font-medium">{row.nickname}</span>
              <span className="text-sm text-soft">
                {t("requests.asked")} <TimeAgo at={row.createdAt} />
              </span>
            </p>
            <div className="text-sm text-soft">{proved}</div>
          </div>
          {row.status === "pending" ? (
            <div className="flex gap-2">
              <Button
                size="sm"
                aria-label={t("requests.approveOf", { name: row.nickname })}
                onClick={() => decide(row, "approve")}
              >
                {t("requests.approve")}
              </Button>
              <Button
                size="sm"
                tone="quiet"
                aria-label={t("requests.rejectOf", { name: row.nickname })}
                onClick={() => decide(row, "reject")}
              >
                {t("requests.reject")}
              </Button>
            </div>
          ) : (
            <Badge tone={row.status === "approved" ? "good" : "plain"}>
              {t(`requests.statuses.${row.status}`)}
            </Badge>
          )}
        </li>
      ))}
    </ul>
  );
}
