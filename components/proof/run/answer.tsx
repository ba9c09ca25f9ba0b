"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { ButtonLink, Spinner } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/notes";
import * as en from "@/lib/i18n/en";
import type { CallbackOutcome } from "./callback";
import { receiveAnswer } from "./callback";

/** Takes the provider's answer out of the address, clears the address bar, and goes back to the run. */
export function Answer() {
  const router = useRouter();
  const [outcome, setOutcome] = useState<CallbackOutcome | null>(null);
  const taken = useRef(false);
  useEffect(() => {
    if (taken.current) return;
    taken.current = true;
    const fragment = window.location.hash;
    // First of all: a token must not stay in the address bar, the history or a screenshot.
    window.history.replaceState(null, "", window.location.pathname);
    const result = receiveAnswer(fragment);
    setOutcome(result);
    if (result.kind === "go") router.replace(result.page);
  }, [router]);
  if (outcome?.kind === "denied" || outcome?.kind === "lost") {
    const denied = outcome.kind === "denied";
    return (
      <ErrorNote
        title={denied ? en.signIn.deniedTitle : en.signIn.lostTitle}
        action={
          <ButtonLink href={denied ? outcome.page : "/sign-in"} size="sm">
            {en.signIn.startAgain}
          </ButtonLink>
        }
      >
        {denied ? en.signIn.denied : en.signIn.lost}
      </ErrorNote>
    );
  }
  return (
    <p role="status" className="flex items-center gap-3 text-soft">
      <Spinner />
      {en.signIn.callbackWorking}
    </p>
  );
}
