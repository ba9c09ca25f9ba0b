"use client";

import { useLinkStatus } from "next/link";

/**
 * A thin line at the top of the window while the page of the link around it is on its way. The pages people read
 * have no loading skeleton: a skeleton is what they would see for ever without JavaScript.
 */
export function LinkPending() {
  const { pending } = useLinkStatus();
  return pending ? <span aria-hidden="true" className="link-pending" /> : null;
}
