"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { Panel } from "@/components/shell/panel";
import { ActDialog } from "@/components/staff/act-dialog";
import { isTyped, TypedConfirmation } from "@/components/staff/typed-confirmation";
import { Button } from "@/components/ui/button";
import type { Topic } from "@/lib/contract";

export interface DeleteTopicProps {
  readonly topic: Pick<Topic, "id" | "title" | "postCount" | "memberCount">;
}

/** Deletes a topic, once its title has been typed; says before what is lost. */
export function DeleteTopic({ topic }: DeleteTopicProps) {
  const { t } = useWords();
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const { title } = topic;
  const lost = t("editTopic.deleteText", { posts: topic.postCount, members: topic.memberCount });
  return (
    <Panel title={t("editTopic.deleteTitle")}>
      <p className="text-sm text-soft">{lost}</p>
      <div>
        <Button tone="danger" onClick={() => setOpen(true)}>
          {t("editTopic.delete")}
        </Button>
      </div>
      {open ? (
        <ActDialog
          title={t("editTopic.deleteTitle")}
          text={lost}
          confirm={t("editTopic.deleteConfirm")}
          missing={() => (isTyped(typed, title) ? null : t("editTopic.deleteType", { title }))}
          work={({ api, contract }) => api.call(contract.topics.delete, { topicId: topic.id })}
          done={t("editTopic.deleted")}
          onDone={() => {
            router.push("/topics");
            router.refresh();
          }}
          onClose={() => setOpen(false)}
        >
          <TypedConfirmation label={t("editTopic.deleteType", { title })} value={typed} onChange={setTyped} />
        </ActDialog>
      ) : null}
    </Panel>
  );
}
