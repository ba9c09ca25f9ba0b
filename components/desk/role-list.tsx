"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { ReasonDialog } from "@/components/staff/reason-dialog";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Avatar } from "@/components/ui/identicon";
import { TimeAgo } from "@/components/ui/time-ago";
import type { contract, ResponseBody } from "@/lib/contract";

type Operator = ResponseBody<typeof contract.desk.operators>["operators"][number];

export interface RoleListProps {
  readonly operators: readonly Operator[];
  readonly mayRevoke: boolean;
}

/** Operators and reviewers, with a way to revoke a role. */
export function RoleList({ operators, mayRevoke }: RoleListProps) {
  const { t } = useWords();
  const router = useRouter();
  const [asked, setAsked] = useState<Operator["user"] | null>(null);
  return (
    <>
      <ul aria-label={t("desk.operators")} className="divide-y border-t">
        {operators.map(({ user, role, isConfigured, grantedAt }) => (
          <li key={user.userId} className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
            <Avatar userId={user.userId} image={user.profileImage} size="md" />
            <div className="grid min-w-0 flex-1 basis-52 gap-0.5">
              <p className="flex flex-wrap items-center gap-x-2">
                <Link
                  href={`/desk/accounts/${user.userId}`}
                  prefetch={false}
                  className="reach truncate font-medium hover:underline"
                >
                  {user.nickname}
                </Link>
                <Badge>{t(`desk.role.${role}`)}</Badge>
              </p>
              <p className="text-sm text-soft">
                {grantedAt ? (
                  <>
                    {t("desk.since")} <TimeAgo at={grantedAt} />
                  </>
                ) : (
                  t("desk.configured")
                )}
              </p>
            </div>
            {mayRevoke && !isConfigured ? (
              <Button
                size="sm"
                aria-label={t("desk.revokeOf", { name: user.nickname })}
                onClick={() => setAsked(user)}
              >
                {t("desk.revoke")}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {asked ? (
        <ReasonDialog
          title={t("desk.revokeOf", { name: asked.nickname })}
          text={t("desk.revokeText")}
          confirm={t("desk.revoke")}
          templates={[]}
          hint={t("queue.fields.publicHint")}
          again="/desk/operators"
          work={({ api, contract }, { reason }) =>
            api.call(contract.desk.take, { userId: asked.userId, reason: reason || undefined })
          }
          done={t("desk.revoked", { name: asked.nickname })}
          onDone={() => {
            setAsked(null);
            router.refresh();
          }}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </>
  );
}
