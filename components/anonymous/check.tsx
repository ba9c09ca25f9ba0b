"use client";

import { BadgeCheck, ShieldAlert, ShieldQuestion } from "lucide-react";
import { useState } from "react";
import { useWords } from "#words";
import { type SealKind, SealMark } from "@/components/proof/seal-mark";
import { Button } from "@/components/ui/button";
import type { Fault } from "@/lib/proofs/anonymous/evidence";

export interface CheckProps {
  readonly postId: string;
  readonly commentId?: string;
  /** Drawn large above, and stamped once the check holds. */
  readonly seal?: SealKind;
}

type State =
  | { readonly is: "idle" | "checking" | "gone" | "failed" }
  | { readonly is: "good"; readonly crowd: number }
  | { readonly is: "bad"; readonly fault: Fault };

/** Checks in the reader's own browser that one of a crowd wrote exactly this: proof, words, and the list of crowds. */
export function Check({ postId, commentId, seal }: CheckProps) {
  const { t } = useWords();
  const [state, setState] = useState<State>({ is: "idle" });
  const check = async () => {
    setState({ is: "checking" });
    setState(await (await import("./check-text")).checkText(postId, commentId).catch(() => FAILED));
  };
  const isOpen = state.is === "idle" || state.is === "checking" || state.is === "failed";
  return (
    <div
      className={
        seal ? "grid justify-items-center gap-3 text-center" : "flex flex-wrap items-center gap-2 text-sm"
      }
    >
      {seal ? <SealMark kind={seal} size="lg" stamped={state.is === "good"} /> : null}
      {isOpen ? (
        <Button
          size="sm"
          tone={seal ? "plain" : "quiet"}
          busy={state.is === "checking"}
          onClick={() => void check()}
        >
          <ShieldQuestion className="size-4" aria-hidden />
          {t(state.is === "checking" ? "anonymous.check.checking" : "anonymous.check.act")}
        </Button>
      ) : null}
      <p role="status" className="flex items-start gap-2 empty:hidden">
        {state.is === "good" ? (
          <>
            <BadgeCheck className="mt-0.5 size-4 shrink-0 text-moss" aria-hidden />
            <span>{t("anonymous.check.good", { n: state.crowd })}</span>
          </>
        ) : state.is === "bad" ? (
          <>
            <ShieldAlert className="mt-0.5 size-4 shrink-0 text-seal" aria-hidden />
            <span>{t("anonymous.check.bad", { fault: t(`anonymous.check.faults.${state.fault}`) })}</span>
          </>
        ) : state.is === "gone" ? (
          t("anonymous.check.gone")
        ) : state.is === "failed" ? (
          t("anonymous.check.failed")
        ) : null}
      </p>
    </div>
  );
}

const FAILED = { is: "failed" } as const;
