"use client";

import { useSyncExternalStore } from "react";

const never = () => () => {};
const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const serverZone = () => "UTC";

/**
 * The reader's time zone. UTC on the server and for the first moment in the browser, so that both make the same page;
 * then their own.
 */
export function useZone(): string {
  return useSyncExternalStore(never, ownZone, serverZone);
}
