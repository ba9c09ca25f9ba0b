"use client";

import Link from "next/link";
import { useEffect, useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import { reader } from "@/components/offline/state";
import { Button } from "@/components/ui/button";
import { ErrorNote, Note } from "@/components/ui/notes";
import { toast } from "@/components/ui/toast";
import { declinedCookie } from "@/lib/client/anonymous/declined";
import { mayHaveSecret } from "@/lib/client/anonymous/flag";
import { exactTime } from "@/lib/i18n/time";

const YEAR_SECONDS = 31_536_000;

/** Offers a member to join the crowd of a topic: once, as the topic opens, so that it says nothing about who is going to write. */
export function CrowdOffer({ topicId }: { readonly topicId: string }) {
  const words = useWords();
  const { t } = words;
  const [isOver, setOver] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const decline = () => {
    // Sent to the pages of this topic alone, which then leave the offer out.
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
    document.cookie = `${declinedCookie}=1; path=/topics/${topicId}; max-age=${YEAR_SECONDS}; samesite=lax`;
    setOver(true);
  };
  const [hasKeys, setHasKeys] = useState(false);
  useEffect(() => {
    const userId = reader();
    // Whoever has a secret here joins with that.
    setHasKeys(userId !== null && !mayHaveSecret(userId) && typeof PublicKeyCredential === "function");
  }, []);
  const joinWithPasskey = async () => {
    const userId = reader();
    if (!userId) return;
    setBusy(true);
    setProblem(null);
    const [{ makePasskey }, { problemOf }] = await Promise.all([
      import("@/lib/client/anonymous/passkey"),
      import("./passkey-problem"),
    ]);
    const found = await problemOf(makePasskey(userId, t("anonymous.passkey.name")));
    if (found === null) return await join();
    setBusy(false);
    setProblem(t(`anonymous.passkey.${found}`));
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
  if (isOver) return null;
  return (
    <div className="grid gap-3 noscript:hidden">
      <Note
        title={t("anonymous.offerTitle")}
        action={
          <>
            <Button size="sm" busy={busy} onClick={() => void join()}>
              {t("anonymous.join")}
            </Button>
            {hasKeys ? (
              <Button size="sm" busy={busy} onClick={() => void joinWithPasskey()}>
                {t("anonymous.passkey.join")}
              </Button>
            ) : null}
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
