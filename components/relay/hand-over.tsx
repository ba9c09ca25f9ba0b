"use client";

import { Smartphone } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { useLazyComponent } from "@/components/ui/use-lazy-component";
import type { HandOverPanelProps } from "./hand-over-panel";
import type { Completed } from "./use-request";

const loadPanel = () => import("./hand-over-panel").then((m) => m.HandOverPanel);

export interface HandOverProps extends Pick<HandOverPanelProps, "ask" | "onDone"> {
  /** Explains the button. */
  readonly hint: string;
}

/** Signs this device in with a proof made on a phone. */
export function SignInByPhone({ next }: { readonly next: string }) {
  const { t } = useWords();
  const router = useRouter();
  const goOn = (completed: Completed) => {
    const isNew = "needsNickname" in completed && completed.needsNickname;
    router.push(isNew ? `/profile?next=${encodeURIComponent(next)}` : next);
    router.refresh();
  };
  return <HandOver ask={{}} onDone={goOn} hint={t("relay.useHint")} />;
}

/** Gets a proof from a phone for this device. The panel is lazy loaded. */
export function HandOver({ ask, onDone, hint }: HandOverProps) {
  const { t } = useWords();
  const [open, setOpen] = useState(false);
  const panel = useLazyComponent(loadPanel);
  if (open && panel.Component)
    return <panel.Component ask={ask} onDone={onDone} onClose={() => setOpen(false)} />;
  return (
    // On a phone there is no other one to use.
    <div className="grid gap-2 border-t pt-5 max-md:pointer-coarse:hidden">
      <div>
        <Button busy={panel.busy} onClick={() => panel.load(() => setOpen(true))}>
          <Smartphone className="size-4" aria-hidden />
          {t("relay.use")}
        </Button>
      </div>
      <p className="text-sm text-soft">{hint}</p>
    </div>
  );
}
