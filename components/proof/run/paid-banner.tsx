"use client";

import { useEffect, useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/notes";
import type { Words } from "@/lib/i18n/words";
import { dropPaid, isTooLate, loadRun, paidRuns, saveRun, shownElsewhere } from "./storage";
import type { Run } from "./types";

/** How often the banner checks whether another page still shows a run. */
const CHECK_MS = 1000;

/** Whether this page itself shows the run. */
function isHere({ id, page }: Run): boolean {
  return loadRun()?.id === id && new URL(page, window.location.href).pathname === window.location.pathname;
}

/** Returns the youngest paid run that no tab shows. */
async function waitingRun(): Promise<Run | null> {
  const runs = paidRuns().filter((run) => !isHere(run));
  if (runs.length === 0) return null;
  const elsewhere = await shownElsewhere(runs);
  return runs.find(({ id }) => !elsewhere.has(id)) ?? null;
}

/** Describes a run's purpose in a few words. */
function purposeWords(words: Words, { purpose }: Run): string {
  switch (purpose.kind) {
    case "sign-in":
      return words.t("paid.for.signIn");
    case "join":
    case "invite":
      return words.t("paid.for.join", { topic: purpose.title });
    case "create":
      return words.t("paid.for.create", { topic: purpose.topic.title });
    case "relay":
      return words.t("paid.for.relay");
    case "petition":
      return words.t("paid.for.petition");
  }
}

/** Offers to continue a proof that was paid for in a closed tab, or says why it cannot continue. */
export function PaidBanner() {
  const words = useWords();
  const [run, setRun] = useState<Run | null>(null);
  useEffect(() => {
    let gone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      clearTimeout(timer);
      const found = await waitingRun();
      if (gone) return;
      setRun(found);
      // No event reports that the page that shows a run was left or closed.
      if (!found && paidRuns().length > 0) timer = setTimeout(look, CHECK_MS);
    };
    void look();
    // Another tab sealed or paid a run.
    window.addEventListener("storage", look);
    return () => {
      gone = true;
      clearTimeout(timer);
      window.removeEventListener("storage", look);
    };
  }, []);
  if (!run) return null;
  const late = isTooLate(run, Date.now());
  const goOn = () => {
    // This tab may still have the full run, with its secrets.
    if (loadRun()?.id !== run.id) saveRun(run);
    window.location.assign(run.page);
  };
  const dismiss = async () => {
    dropPaid(run.id);
    setRun(null);
    const { forgetPayment, localStorageStore } = await import("@/lib/proofs/client");
    await forgetPayment(localStorageStore(), run.id);
  };
  return (
    <section aria-label={words.t("paid.title")}>
      <Note
        tone="warning"
        title={late ? words.t("paid.lateTitle") : words.t("paid.title")}
        action={
          <Button size="sm" onClick={late ? dismiss : goOn}>
            {words.t(late ? "common.dismiss" : "paid.goOn")}
          </Button>
        }
      >
        {purposeWords(words, run)} {late ? words.t("paid.tooLate") : words.t("paid.text")}
      </Note>
    </section>
  );
}
