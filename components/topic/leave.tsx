"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { ActDialog } from "@/components/staff/act-dialog";
import { Button } from "@/components/ui/button";
import type { Topic } from "@/lib/contract";

const RETURN_SENTENCES = { public: "leavePublic", private: "leavePrivate", secret: "leaveSecret" } as const;

/** Leaves a topic, after a dialog that explains the consequences. */
export function LeaveTopic({
  topic,
}: {
  readonly topic: Pick<Topic, "id" | "title" | "visibility" | "proofType">;
}) {
  const { t } = useWords();
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const name = topic.title;
  const consequences = [
    t("membership.leaveWriting"),
    t(`membership.${RETURN_SENTENCES[topic.visibility]}`),
    ...(topic.proofType === "none" ? [] : [t("membership.leaveGate")]),
  ];
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        {t("membership.leave")}
      </Button>
      {open ? (
        <ActDialog
          title={t("membership.leaveTitle", { name })}
          confirm={t("membership.leave")}
          work={({ api, contract }) => api.call(contract.topics.leave, { topicId: topic.id })}
          done={t("membership.left", { name })}
          onDone={() => {
            setOpen(false);
            // Only members can see a secret topic.
            router.push(topic.visibility === "secret" ? "/topics" : `/topics/${topic.id}`);
            router.refresh();
          }}
          onClose={() => setOpen(false)}
        >
          <ul className="grid list-disc gap-1 ps-5 text-soft">
            {consequences.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </ActDialog>
      ) : null}
    </>
  );
}
