"use client";

import { type ComponentType, useState } from "react";
import { useWords } from "#words";
import { silence } from "@/components/call-api";
import { toast } from "./toast";

export interface Late<P> {
  /** Null until it was fetched. */
  readonly Part: ComponentType<P> | null;
  /** Its script is on its way. */
  readonly busy: boolean;
  /** Fetches it, then calls back; says so when the network does not bring it. */
  readonly bring: (then: () => void) => void;
}

/** A part of the page whose script is fetched when it is asked for, so that without a network the page stays as it is. */
export function useLazyComponent<P>(load: () => Promise<ComponentType<P>>): Late<P> {
  const { t } = useWords();
  const [Part, setPart] = useState<ComponentType<P> | null>(null);
  const [busy, setBusy] = useState(false);
  const bring = (then: () => void) => {
    if (busy) return;
    setBusy(true);
    load()
      .then(
        (part) => {
          setPart(() => part);
          then();
        },
        () => toast({ tone: "wrong", text: t(silence()) }),
      )
      .finally(() => setBusy(false));
  };
  return { Part, busy, bring };
}
