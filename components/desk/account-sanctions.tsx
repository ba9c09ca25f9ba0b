"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { ReasonDialog } from "@/components/staff/reason-dialog";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { TimeAgo } from "@/components/ui/time-ago";
import { useMoment } from "@/components/ui/use-moment";
import type { contract, ResponseBody } from "@/lib/contract";

type Account = ResponseBody<typeof contract.desk.account>;
type Sanction = Account["sanctions"][number];

export interface AccountSanctionsProps {
  readonly user: Account["user"];
  readonly sanctions: readonly Sanction[];
  readonly mayLift: boolean;
}

/** What is in force against an account, with a way to lift it. */
export function AccountSanctions({ user, sanctions, mayLift }: AccountSanctionsProps) {
  const { t } = useWords();
  const router = useRouter();
  const [lifting, setLifting] = useState<Sanction["kind"] | null>(null);
  const { userId, nickname: name } = user;
  return (
    <>
      <ul className="grid gap-2">
        {sanctions.map((sanction) => (
          <li
            key={sanction.kind}
            className="flex flex-wrap items-start gap-x-3 gap-y-2 rounded-sheet border bg-sheet p-4"
          >
            <div className="grid min-w-0 flex-1 basis-60 gap-1">
              <p className="flex flex-wrap items-center gap-2">
                <Badge tone="warning">{t(`desk.sanctionKinds.${sanction.kind}`)}</Badge>
                <span className="text-sm text-soft">
                  <Until at={sanction.until} /> · <TimeAgo at={sanction.createdAt} />
                </span>
              </p>
              <p dir="auto">{sanction.reason}</p>
            </div>
            {mayLift ? (
              <Button size="sm" onClick={() => setLifting(sanction.kind)}>
                {t("desk.lift")}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {lifting ? (
        <ReasonDialog
          title={t("desk.liftTitle", { name })}
          confirm={t("desk.lift")}
          tone="primary"
          templates={[]}
          hint={t("queue.fields.publicHint")}
          work={({ api, contract }, { reason }) =>
            api.call(contract.desk.lift, { userId, kind: lifting, reason: reason || undefined })
          }
          done={t("desk.lifted")}
          onDone={() => {
            setLifting(null);
            router.refresh();
          }}
          onClose={() => setLifting(null)}
        />
      ) : null}
    </>
  );
}

function Until({ at }: { readonly at: string | null }) {
  const { t } = useWords();
  const when = useMoment(at);
  if (at === null || when === null) return t("staff.always");
  return <time dateTime={at}>{t("staff.until", { when })}</time>;
}
