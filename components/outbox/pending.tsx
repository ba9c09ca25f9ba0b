"use client";

import dynamic from "next/dynamic";
import type { Kind } from "@/lib/client/outbox";

export interface PendingProps {
  /** Only what was written here; left out, everything. */
  readonly here?: { readonly kind: Kind; readonly place: string };
}

/** What the reader wrote that waits to be sent, if anything does; only their browser knows. */
export const Pending = dynamic<PendingProps>(
  () => import("./pending-content").then((m) => m.PendingContent),
  {
    ssr: false,
  },
);
