"use client";

import { type ComponentType, useState } from "react";
import { useWords } from "#words";
import { networkProblem } from "@/components/call-api";
import { toast } from "./toast";

interface LazyComponent<P> {
  /** Null until it is loaded. */
  readonly Component: ComponentType<P> | null;
  /** Whether its script is loading. */
  readonly busy: boolean;
  /** Loads it, then calls back; shows a toast when the network fails. */
  readonly load: (then: () => void) => void;
}

/** Loads a component on first use. Offline, the rest of the page keeps working. */
export function useLazyComponent<P>(importComponent: () => Promise<ComponentType<P>>): LazyComponent<P> {
  const { t } = useWords();
  const [Component, setComponent] = useState<ComponentType<P> | null>(null);
  const [busy, setBusy] = useState(false);
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
