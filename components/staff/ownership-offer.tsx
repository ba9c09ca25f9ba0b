"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { type Client, callApi } from "@/components/call-api";
import { Button } from "@/components/ui/button";
import { nameOf } from "@/components/ui/member-name";
import { ErrorNote, Note } from "@/components/ui/notes";
import { toast } from "@/components/ui/toast";
import { useMoment } from "@/components/ui/use-moment";
import type { OwnershipOffer } from "@/lib/contract/ownership";

export interface OfferNoteProps {
  readonly topicId: string;
  readonly offer: OwnershipOffer;
  /** Nickname of the owner. */
  readonly owner: string;
}

type Answer = "accept" | "decline" | "cancel";

/** An open offer of the topic's ownership: its member answers it, its owner can take it back. */
export function OfferNote({ topicId, offer, owner }: OfferNoteProps) {
  const words = useWords();
  const { t } = words;
  const router = useRouter();
  const [busy, setBusy] = useState<Answer | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const when = useMoment(offer.expiresAt) ?? "";
  const isMine = offer.abilities.includes("accept");
  const name = nameOf(words, isMine ? owner : offer.member.nickname);
  const work =
    (answer: Answer) =>
    ({ api, contract }: Client): Promise<unknown> =>
      answer === "cancel"
        ? api.call(contract.ownership.cancel, { topicId })
        : api.call(contract.ownership.answer, { topicId, accept: answer === "accept" });
  const send = async (answer: Answer) => {
    if (busy) return;
    setBusy(answer);
    setProblem(null);
    const result = await callApi(words, work(answer));
    setBusy(null);
    if (!result.ok) setProblem(result.sentence);
    else toast({ text: t(`offer.done.${answer}`) });
    if (result.ok || result.code === "offer_not_found") router.refresh();
  };
  const button = (answer: Answer, tone?: "primary") => (
    <Button size="sm" tone={tone} busy={busy === answer} onClick={() => void send(answer)}>
      {t(`offer.${answer}`)}
    </Button>
  );
  return (
    <>
      <Note
        tone="warning"
        title={t(isMine ? "offer.toMe" : "offer.byMe", { name })}
        action={
          isMine ? (
            <>
              {button("accept", "primary")}
              {button("decline")}
            </>
          ) : (
            button("cancel")
          )
        }
      >
        {t(isMine ? "offer.toMeText" : "offer.byMeText", { name, when })}
      </Note>
      {problem ? <ErrorNote>{problem}</ErrorNote> : null}
    </>
  );
}
