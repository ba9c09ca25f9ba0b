"use client";

import { useWords } from "#words";
import { clockTime, longDay } from "@/lib/i18n/time";
import { useZone } from "./use-zone";

/** "Sunday, 22 November, 14:02" in the reader's time zone; null stays null. @param at ISO 8601 */
export function useMoment(at: string): string;
export function useMoment(at: string | null): string | null;
export function useMoment(at: string | null): string | null {
  const words = useWords();
  const zone = useZone();
  if (at === null) return null;
  const moment = new Date(at);
  return `${longDay(words, moment, zone)}, ${clockTime(words, moment, zone)}`;
}
