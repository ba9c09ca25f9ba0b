"use client";

import { useSyncExternalStore } from "react";
import { useWords } from "#words";
import { clockTime, longDay } from "@/lib/i18n/time";

/** Formats a time as "Sunday, 22 November, 14:02" in the reader's time zone. @param at ISO 8601 */
export function useMoment(at: string): string;
export function useMoment(at: string | null): string | null;
export function useMoment(at: string | null): string | null {
  const words = useWords();
  const zone = useZone();
  if (at === null) return null;
  const moment = new Date(at);
  return `${longDay(words, moment, zone)}, ${clockTime(words, moment, zone)}`;
}

const never = () => () => {};
const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const serverZone = () => "UTC";

const yes = () => true;
const no = () => false;

/** Returns whether scripts run: false on the server and during hydration. For what does nothing without them. */
export function useHydrated(): boolean {
  return useSyncExternalStore(never, yes, no);
}

/** Returns the reader's time zone; UTC on the server and during hydration, so that both render the same page. */
export function useZone(): string {
  return useSyncExternalStore(never, ownZone, serverZone);
}
