"use client";

import { ShieldQuestion } from "lucide-react";
import { useState } from "react";
import { useWords } from "#words";
import { type SealKind, SealMark } from "@/components/proof/seal-mark";
import { Button } from "@/components/ui/button";
import type { Fault } from "@/lib/proofs/anonymous/evidence";
import { Verdict } from "./verdict";

export interface CheckProps {
  readonly postId: string;
  readonly commentId?: string;
  /** Drawn large above, and stamped once the check holds. */
  readonly seal?: SealKind;
}

type State =
  | { readonly is: "idle" | "checking" | "gone" | "failed" }
  | { readonly is: "good"; readonly crowd: number }
  | { readonly is: "bad"; readonly fault: Fault | "picture" };

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
      {state.is === "good" ? (
        <Verdict is="good" says={t("anonymous.check.good", { n: state.crowd })} />
      ) : state.is === "bad" ? (
        <Verdict
          is="bad"
          says={t("anonymous.check.bad", { fault: t(`anonymous.check.faults.${state.fault}`) })}
        />
      ) : (
        <Verdict
          is="unknown"
          says={state.is === "gone" || state.is === "failed" ? t(`anonymous.check.${state.is}`) : null}
        />
      )}
    </div>
  );
}

const FAILED = { is: "failed" } as const;
