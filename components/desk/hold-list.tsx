"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { ReasonDialog } from "@/components/staff/reason-dialog";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Hash } from "@/components/ui/hash";
import { TimeAgo } from "@/components/ui/time-ago";
import type { Hold } from "@/lib/contract/desk-acts";

/** Legal holds, with ways to end and export them. */
export function HoldList({ holds }: { readonly holds: readonly Hold[] }) {
  const { t } = useWords();
  const router = useRouter();
  const [asked, setAsked] = useState<{ readonly act: "end" | "export"; readonly id: string } | null>(null);
  const close = () => setAsked(null);
  const done = () => {
    close();
    router.refresh();
  };
  const common = { required: true, templates: [], hint: t("queue.fields.publicHint"), again: "/desk/holds" };
  return (
    <>
      <ul aria-label={t("desk.holds")} className="grid gap-3">
        {holds.map((hold) => (
          <li key={hold.id} className="grid gap-2 rounded-sheet border bg-sheet p-4">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <span className="font-medium">{t(`desk.holdKinds.${hold.kind}`)}</span>
              <span className="text-sm text-soft">
                <Hash value={hold.targetId} label={t("desk.holdOf")} />
              </span>
              {hold.releasedAt ? <Badge>{t("desk.holdReleased")}</Badge> : null}
            </p>
            <p dir="auto">{hold.reason}</p>
            <p className="text-sm text-soft">
              {t("desk.holdKeeps", { texts: hold.texts, files: hold.files })} ·{" "}
              {t("desk.placedBy", { name: hold.placedBy.nickname })} · <TimeAgo at={hold.placedAt} />
            </p>
            {hold.releasedAt ? null : (
              <div className="flex flex-wrap gap-2">
                <Button size="sm" onClick={() => setAsked({ act: "export", id: hold.id })}>
                  {t("desk.exportHold")}
                </Button>
                <Button size="sm" tone="danger" onClick={() => setAsked({ act: "end", id: hold.id })}>
                  {t("desk.endHold")}
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {asked?.act === "end" ? (
        <ReasonDialog
          {...common}
          title={t("desk.endHoldTitle")}
          text={t("desk.endHoldText")}
          confirm={t("desk.endHold")}
          work={({ api, contract }, { reason }) =>
            api.call(contract.desk.releaseHold, { holdId: asked.id, reason })
          }
          done={t("desk.holdEnded")}
          onDone={done}
          onClose={close}
        />
      ) : null}
      {asked?.act === "export" ? (
        <ReasonDialog
          {...common}
          title={t("desk.exportTitle")}
          text={t("desk.exportText")}
          confirm={t("desk.exportHold")}
          tone="primary"
          work={(_, { reason }) => download(asked.id, reason)}
          done={t("desk.exported")}
          onDone={done}
          onClose={close}
        />
      ) : null}
    </>
  );
}

/** Saves an export as a file. @throws ApiError */
async function download(holdId: string, reason: string): Promise<void> {
  const { refusalOf } = await import("@/lib/client");
  const response = await fetch(`/api/desk/holds/${holdId}/export`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ reason }),
  });
  if (!response.ok) throw refusalOf(response.status, await response.json().catch(() => null));
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = `hold-${holdId}.ndjson`;
  link.click();
  URL.revokeObjectURL(url);
}
