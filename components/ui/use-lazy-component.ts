"use client";

import { type ComponentType, useState } from "react";
import { useWords } from "#words";
import { networkProblem } from "@/components/call-api";
import { toast } from "./toast";

/** Loads a component on first use. Offline, the rest of the page keeps working. */
export function useLazyComponent<P>(importComponent: () => Promise<ComponentType<P>>) {
  const { t } = useWords();
  const [Component, setComponent] = useState<ComponentType<P> | null>(null);
  const [busy, setBusy] = useState(false);
  /** Loads it, then calls back; shows a toast when the network fails. */
  const load = (then: () => void) => {
    if (busy) return;
    setBusy(true);
    importComponent()
      .then(
        (component) => {
          setComponent(() => component);
          then();
        },
        () => toast({ tone: "wrong", text: t(networkProblem()) }),
      )
      .finally(() => setBusy(false));
  };
  return { Component, busy, load };
}
