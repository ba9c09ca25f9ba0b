"use client";

import dynamic from "next/dynamic";
import type { PendingProps } from "./pending-content";

/** Shows the outbox, which only this browser knows. */
export const Pending = dynamic<PendingProps>(
  () => import("./pending-content").then((m) => m.PendingContent),
  {
    ssr: false,
  },
);
