"use client";

import { useWords } from "#words";
import { ButtonLink } from "@/components/ui/button";
import { Note } from "@/components/ui/notes";
import { useMoment } from "@/components/ui/use-moment";
import type { contract, ResponseBody } from "@/lib/contract";

export interface ProofNoteProps {
  readonly topicId: string;
  readonly proof: ResponseBody<typeof contract.topics.get>["proof"];
  /** Whether the page itself is where to prove again. */
  readonly isHere?: boolean;
}

/** Tells members that they are to prove again, by when, and what happens otherwise. */
export function ProofNote({ topicId, proof, isHere }: ProofNoteProps) {
  const { t } = useWords();
  const when = useMoment(proof?.reproveBy ?? null);
  const provenAt = useMoment(proof?.provenAt ?? null);
  if (!proof || !when || !provenAt || proof.state === "current") return null;
  const isLapsed = proof.state === "lapsed";
  return (
    <Note
      tone="warning"
      title={t(isLapsed ? "membership.lapsedTitle" : "membership.dueTitle")}
      action={
        isHere ? null : (
          <ButtonLink href={`/topics/${topicId}/join`} size="sm" prefetch={false}>
            {t("membership.proveAgain")}
          </ButtonLink>
        )
      }
    >
      <p>{t(isLapsed ? "membership.lapsed" : "membership.due", { when })}</p>
      <p>{t("membership.provenAt", { when: provenAt })}</p>
    </Note>
  );
}
