"use client";

import { ShieldQuestion } from "lucide-react";
import { useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import type { BoxFault } from "@/lib/proofs/anonymous/box";
import { Verdict } from "./verdict";

type State =
  | { readonly is: "idle" | "failed" }
  | { readonly is: "counting"; readonly done: number; readonly of: number }
  | { readonly is: "good"; readonly ballots: number }
  | { readonly is: "bad"; readonly fault: BoxFault };

const FAILED = { is: "failed" } as const;

/** Counts a ballot box again in the reader's own browser: every ballot's proof, and the numbers. */
export function Recount({ postId }: { readonly postId: string }) {
  const { t } = useWords();
  const [state, setState] = useState<State>({ is: "idle" });
  const recount = async () => {
    setState({ is: "counting", done: 0, of: 0 });
    const { recountBox } = await import("./recount-box");
    const progress = (done: number, of: number) => setState({ is: "counting", done, of });
    setState(await recountBox(postId, progress).catch(() => FAILED));
  };
  const isCounting = state.is === "counting";
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      {state.is === "good" || state.is === "bad" ? null : (
        <Button size="sm" tone="quiet" busy={isCounting} onClick={() => void recount()}>
          <ShieldQuestion className="size-4" aria-hidden />
          {isCounting
            ? t("anonymous.ballot.counting", { done: state.done, of: state.of })
            : t("anonymous.ballot.recount")}
        </Button>
      )}
      {state.is === "good" ? (
        <Verdict is="good" says={t("anonymous.ballot.good", { n: state.ballots })} />
      ) : state.is === "bad" ? (
        <Verdict
          is="bad"
          says={t("anonymous.check.bad", { fault: t(`anonymous.ballot.faults.${state.fault}`) })}
        />
      ) : (
        <Verdict is="unknown" says={state.is === "failed" ? t("anonymous.check.failed") : null} />
      )}
    </div>
  );
}
