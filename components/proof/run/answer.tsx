"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { ButtonLink, Spinner } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/notes";
import { type CallbackOutcome, receiveAnswer } from "./storage";

/** Receives the provider's response from the URL, clears the address bar, and goes back to the run. */
export function Answer() {
  const { t } = useWords();
  const router = useRouter();
  const [outcome, setOutcome] = useState<CallbackOutcome | null>(null);
  const received = useRef(false);
  useEffect(() => {
    if (received.current) return;
    received.current = true;
    const fragment = window.location.hash;
    // First, because a token must not stay in the address bar, the history or a screenshot.
    window.history.replaceState(null, "", window.location.pathname);
    const result = receiveAnswer(fragment);
    setOutcome(result);
    if (result.kind === "go") router.replace(result.page);
  }, [router]);
  if (outcome?.kind === "denied" || outcome?.kind === "lost") {
    const denied = outcome.kind === "denied";
    return (
      <ErrorNote
        title={denied ? t("signIn.deniedTitle") : t("signIn.lostTitle")}
        action={
          <ButtonLink href={denied ? outcome.page : "/sign-in"} size="sm">
            {t("signIn.startAgain")}
          </ButtonLink>
        }
      >
        {denied ? t("signIn.denied") : t("signIn.lost")}
      </ErrorNote>
    );
  }
  return (
    <p role="status" className="flex items-center gap-3 text-soft">
      <Spinner />
      {t("signIn.callbackWorking")}
    </p>
  );
}
