"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { Panel } from "@/components/shell/panel";
import { ConfirmDialog } from "@/components/staff/confirm-dialog";
import { Button } from "@/components/ui/button";
import type { Topic } from "@/lib/contract";
import type { TopicView } from "./header";
import { opennessOf } from "./openness";

interface LeaveProps {
  readonly topic: Pick<Topic, "id" | "title" | "visibility" | "requiresApproval" | "proofType">;
}

/** The member's role in a topic, and how to leave it. */
export function Membership({
  topic,
  role,
}: LeaveProps & { readonly role: NonNullable<TopicView["currentUserRole"]> }) {
  const { t } = useWords();
  return (
    <Panel title={t("membership.title")}>
      <p>{role === "member" ? t("membership.role") : t("membership.staffRole", { role })}</p>
      {role === "owner" ? (
        <p className="text-sm text-soft">
          {t("membership.ownerLeave")}{" "}
          <Link href={`/topics/${topic.id}/members`} prefetch={false} className="link">
            {t("membership.toMembers")}
          </Link>
        </p>
      ) : (
        <div>
          <LeaveTopic topic={topic} />
        </div>
      )}
    </Panel>
  );
}

const RETURN_SENTENCES = {
  public: "leavePublic",
  members: "leavePublic",
  private: "leavePrivate",
  secret: "leaveSecret",
} as const;

function LeaveTopic({ topic }: LeaveProps) {
  const { t } = useWords();
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const name = topic.title;
  const consequences = [
    t("membership.leaveWriting"),
    t(`membership.${RETURN_SENTENCES[opennessOf(topic)]}`),
    ...(topic.proofType === "none" ? [] : [t("membership.leaveGate")]),
  ];
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        {t("membership.leave")}
      </Button>
      {open ? (
        <ConfirmDialog
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
        </ConfirmDialog>
      ) : null}
    </>
  );
}
