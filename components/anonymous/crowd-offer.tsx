"use client";

import Link from "next/link";
import { useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import { Button } from "@/components/ui/button";
import { ErrorNote, Note } from "@/components/ui/notes";
import { toast } from "@/components/ui/toast";
import { declinedCookie } from "@/lib/client/anonymous/declined";
import { exactTime } from "@/lib/i18n/time";

const YEAR_SECONDS = 31_536_000;

/** Offers a member to join the crowd of a topic: once, as the topic opens, so that it says nothing about who is going to write. */
export function CrowdOffer({ topicId }: { readonly topicId: string }) {
  const words = useWords();
  const { t } = words;
  const [isOver, setOver] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  if (isOver) return null;
  const decline = () => {
    // Sent to the pages of this topic alone, which then leave the offer out.
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
    document.cookie = `${declinedCookie}=1; path=/topics/${topicId}; max-age=${YEAR_SECONDS}; samesite=lax`;
    setOver(true);
  };
  const join = async () => {
    setBusy(true);
    setProblem(null);
    const joined = await callApi(words, async () => (await import("./use-standing")).joinCrowd(topicId));
    setBusy(false);
    if (!joined.ok) return setProblem(joined.sentence);
    const { own, nextAt } = joined.value.crowd;
    const from = Math.max(Date.parse(own?.countsFrom ?? nextAt), Date.parse(nextAt));
    toast({ text: t("anonymous.joined", { when: exactTime(words, new Date(from)) }) });
    setOver(true);
  };
  return (
    <div className="grid gap-3 noscript:hidden">
      <Note
        title={t("anonymous.offerTitle")}
        action={
          <>
            <Button size="sm" busy={busy} onClick={() => void join()}>
              {t("anonymous.join")}
            </Button>
            <Button size="sm" tone="quiet" onClick={decline}>
              {t("anonymous.notNow")}
            </Button>
          </>
        }
      >
        {t("anonymous.offer")}{" "}
        <Link href="/settings/anonymous" prefetch={false} className="link">
          {t("anonymous.how")}
        </Link>
      </Note>
      {problem ? <ErrorNote>{problem}</ErrorNote> : null}
    </div>
  );
}
