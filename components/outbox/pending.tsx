"use client";

import dynamic from "next/dynamic";
import type { PendingProps } from "./pending-content";

/** What the reader wrote that waits to be sent, if anything does; only their browser knows. */
export const Pending = dynamic<PendingProps>(
  () => import("./pending-content").then((m) => m.PendingContent),
  {
    ssr: false,
  },
);
