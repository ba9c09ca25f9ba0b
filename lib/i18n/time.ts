/** Times, durations, counts and amounts in the reader's language, on the server and in the browser. */

import { kept, type Locale, type Words } from "./words";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** Tags for Intl: dates and lists as in most English-speaking countries. */
export const intlTags: Readonly<Record<Locale, string>> = { en: "en-GB", ko: "ko-KR" };

type Language = Pick<Words, "locale">;

const dates = kept(
  (locale: Locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(intlTags[locale], options),
);
const numbers = kept(
  (locale: Locale, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
);

/** "just now", "5 min ago", "3 h ago", "2 days ago", then a date; a date for the future too. */
export function relativeTime(words: Words, moment: Date, now: Date): string {
  const { t } = words;
  const age = now.getTime() - moment.getTime();
  if (age < -HOUR) return dateOnly(words, moment, now);
  if (age < MINUTE) return t("time.now");
  if (age < HOUR) return t("time.minutes", { n: Math.floor(age / MINUTE) });
  if (age < DAY) return t("time.hours", { n: Math.floor(age / HOUR) });
  if (age < WEEK) return t("time.days", { n: Math.floor(age / DAY) });
  return dateOnly(words, moment, now);
}

/** "in 5 minutes", "in 3 hours", "in 2 days", then a date, for a time in the future. */
export function timeUntil({ locale }: Language, moment: Date, now: Date): string {
  const ahead = Math.max(0, moment.getTime() - now.getTime());
  if (ahead >= WEEK) return dateOnly({ locale }, moment, now);
  const [unit, length] =
    ahead < HOUR
      ? (["minute", MINUTE] as const)
      : ahead < DAY
        ? (["hour", HOUR] as const)
        : (["day", DAY] as const);
  return new Intl.RelativeTimeFormat(locale).format(Math.max(1, Math.round(ahead / length)), unit);
}

/** "43%" of a whole; 0 if the whole is 0. */
export function percentage({ locale }: Language, part: number, whole: number): string {
  return numbers(locale, { style: "percent", maximumFractionDigits: 0 }).format(
    whole === 0 ? 0 : part / whole,
  );
}

/** A date, with the year unless it is the current one. */
export function dateOnly({ locale }: Language, moment: Date, now = new Date()): string {
  const sameYear = moment.getFullYear() === now.getFullYear();
  return dates(locale, {
    day: "numeric",
    month: "short",
    ...(sameYear ? {} : { year: "numeric" }),
  }).format(moment);
}

/** Returns a month, such as "November 2026". @param month YYYY-MM */
export function monthOf({ locale }: Language, month: string): string {
  const day = new Date(`${month}-01T00:00:00Z`);
  return new Intl.DateTimeFormat(locale, { year: "numeric", month: "long", timeZone: "UTC" }).format(day);
}

/** Date and time in full, for a title. */
export function exactTime({ locale }: Language, moment: Date): string {
  return dates(locale, { dateStyle: "long", timeStyle: "short" }).format(moment);
}

/** 999, 1.2K, 3.4M. */
export function compact({ locale }: Language, count: number): string {
  // Not intlTags: British English uses lowercase letters.
  return numbers(locale, { notation: "compact", maximumFractionDigits: 1 }).format(count);
}

/** 1,234,567. */
export function exactCount({ locale }: Language, count: number): string {
  return numbers(locale).format(count);
}

/** Milliseconds as "4.2 s" or "1 min 05 s". */
export function duration({ t }: Pick<Words, "t">, ms: number): string {
  if (ms < 60_000) return t("time.seconds", { n: (ms / 1000).toFixed(1) });
  const seconds = Math.floor(ms / 1000);
  return t("time.minutesSeconds", {
    minutes: Math.floor(seconds / 60),
    seconds: String(seconds % 60).padStart(2, "0"),
  });
}

/** Formats atomic units of a token with two or more decimals, without trailing zeros. */
export function tokenAmount({ locale }: Language, atomic: string, decimals: number): string {
  const digits = atomic.padStart(decimals + 1, "0");
  const units = digits.slice(0, -decimals);
  const rest = digits.slice(-decimals).replace(/0+$/, "").padEnd(2, "0");
  return `${numbers(locale).format(BigInt(units))}.${rest}`;
}

/** "14:02" in a time zone. */
export function clockTime({ locale }: Language, moment: Date, zone: string): string {
  return dates(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone }).format(
    moment,
  );
}

/** "Sunday, 22 November", with the year unless it is the current one. */
export function longDay({ locale }: Language, moment: Date, zone: string, now = new Date()): string {
  const year = (date: Date) => dates(locale, { year: "numeric", timeZone: zone }).format(date);
  return dates(locale, {
    weekday: "long",
    day: "numeric",
    month: "long",
    ...(year(moment) === year(now) ? {} : { year: "numeric" }),
    timeZone: zone,
  }).format(moment);
}

/** "Google, Microsoft and Acme". */
export function listed({ locale }: Language, items: readonly string[]): string {
  return new Intl.ListFormat(intlTags[locale], { type: "conjunction" }).format(items);
}

/** "4.2 MB". */
export function megabytes({ locale }: Language, bytes: number): string {
  return numbers(locale, {
    style: "unit",
    unit: "megabyte",
    maximumFractionDigits: bytes < 10_000_000 ? 1 : 0,
  }).format(bytes / 1_000_000);
}

/** "340 kB", "1.2 MB", "34 MB": for files that may be small. */
export function fileSize(words: Language, bytes: number): string {
  if (bytes >= 1_000_000) return megabytes(words, bytes);
  return numbers(words.locale, { style: "unit", unit: "kilobyte", maximumFractionDigits: 0 }).format(
    Math.ceil(bytes / 1000),
  );
}
