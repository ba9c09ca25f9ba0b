"use client";

import { useLinkStatus } from "next/link";

/**
 * A progress line at the top of the window while the page of the surrounding link loads. Pages for reading have no loading
 * skeleton, because without JavaScript it would never go away.
 */
export function LinkPending() {
  const { pending } = useLinkStatus();
  return pending ? <span aria-hidden="true" className="link-pending" /> : null;
}
