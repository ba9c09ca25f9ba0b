"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { ActDialog } from "@/components/staff/act-dialog";
import { Button } from "@/components/ui/button";
import type { Topic } from "@/lib/contract";

const backWords = { public: "leavePublic", private: "leavePrivate", secret: "leaveSecret" } as const;

/** Leaves a topic, after what it means has been said. */
export function LeaveTopic({
  topic,
}: {
  readonly topic: Pick<Topic, "id" | "title" | "visibility" | "proofType">;
}) {
  const { t } = useWords();
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const name = topic.title;
  const means = [
    t("membership.leaveWriting"),
    t(`membership.${backWords[topic.visibility]}`),
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
            // What is left of a secret topic for somebody outside is a closed door.
            router.push(topic.visibility === "secret" ? "/topics" : `/topics/${topic.id}`);
            router.refresh();
          }}
          onClose={() => setOpen(false)}
        >
          <ul className="grid list-disc gap-1 ps-5 text-soft">
            {means.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </ActDialog>
      ) : null}
    </>
  );
}
