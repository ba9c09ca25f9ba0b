"use client";

import { later, useLater } from "@/components/use-later";
import type { PendingProps } from "./pending-content";

// It brings the client of the API, which would hold up the page that somebody waits for.
const content = later(() => import("./pending-content").then((m) => m.PendingContent));

/** Shows the outbox, which only this browser knows. */
export function Pending(props: PendingProps) {
  const Content = useLater(content);
  return Content ? <Content {...props} /> : null;
}
