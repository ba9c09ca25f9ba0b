"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { AccountPicker, type PickedAccount } from "@/components/staff/account-picker";
import { ReasonDialog } from "@/components/staff/reason-dialog";
import { Button } from "@/components/ui/button";
import type { OperatorRole } from "@/lib/contract/desk";

/** Gives someone a role: found by nickname or user id. */
export function GrantRole() {
  const { t } = useWords();
  const router = useRouter();
  const [account, setAccount] = useState<PickedAccount | null>(null);
  const [role, setRole] = useState<OperatorRole | null>(null);
  return (
    <div className="grid gap-4">
      <AccountPicker label={t("desk.find")} hint={t("desk.findHint")} value={account} onChange={setAccount} />
      {account ? (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setRole("reviewer")}>{t("desk.grantReviewer")}</Button>
          <Button onClick={() => setRole("operator")}>{t("desk.grantOperator")}</Button>
        </div>
      ) : null}
      {account && role ? (
        <ReasonDialog
          title={t("desk.grantTo", { name: account.nickname })}
          text={t("desk.grantHint")}
          confirm={t(role === "operator" ? "desk.grantOperator" : "desk.grantReviewer")}
          tone="primary"
          templates={[]}
          hint={t("queue.fields.publicHint")}
          again="/desk/operators"
          work={({ api, contract }, { reason }) =>
            api.call(contract.desk.grant, { userId: account.userId, role, reason: reason || undefined })
          }
          done={t("desk.grantDone", { name: account.nickname })}
          onDone={() => {
            setRole(null);
            setAccount(null);
            router.refresh();
          }}
          onClose={() => setRole(null)}
        />
      ) : null}
    </div>
  );
}
