/** Words for moments and numbers. Everything here runs on the server and in the browser alike. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

const sameYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const otherYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const full = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short" });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat("en");

/** "just now", "5 min ago", "3 h ago", "2 days ago", then a date; a date too for what lies ahead. */
export function relativeTime(moment: Date, now: Date): string {
  const age = now.getTime() - moment.getTime();
  if (age < -HOUR) return dateOnly(moment, now);
  if (age < MINUTE) return "just now";
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min ago`;
  if (age < DAY) return `${Math.floor(age / HOUR)} h ago`;
  const days = Math.floor(age / DAY);
  if (age < WEEK) return days === 1 ? "yesterday" : `${days} days ago`;
  return dateOnly(moment, now);
}

/** A date, with its year when that is not this one. */
export function dateOnly(moment: Date, now = new Date()): string {
  return (moment.getFullYear() === now.getFullYear() ? sameYear : otherYear).format(moment);
}

/** Date and time in full, for a title. */
export function exactTime(moment: Date): string {
  return full.format(moment);
}

/** 999, 1.2K, 3.4M. */
export function compact(count: number): string {
  return short.format(count);
}

/** 1,234,567. */
export function exactCount(count: number): string {
  return whole.format(count);
}

/** Milliseconds as "4.2 s" or "1 min 05 s". */
export function duration(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}

/** Atomic units of a token as people write the amount: at least two decimals, no needless ones. */
export function tokenAmount(atomic: string, decimals: number): string {
  const digits = atomic.padStart(decimals + 1, "0");
  const units = digits.slice(0, -decimals);
  const rest = digits.slice(-decimals).replace(/0+$/, "").padEnd(2, "0");
  return `${whole.format(BigInt(units))}.${rest}`;
}

/** "14:02" in a time zone. */
export function clockTime(moment: Date, zone: string): string {
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: zone }).format(
    moment,
  );
}

/** "Sunday, 22 November", with its year when that is not this one. */
export function longDay(moment: Date, zone: string, now = new Date()): string {
  const year = (date: Date) =>
    new Intl.DateTimeFormat("en-GB", { year: "numeric", timeZone: zone }).format(date);
  return new Intl.DateTimeFormat("en-GB", {
    weekday: "long",
    day: "numeric",
    month: "long",
    ...(year(moment) === year(now) ? {} : { year: "numeric" }),
    timeZone: zone,
  }).format(moment);
}
