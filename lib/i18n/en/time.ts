/** Words for moments and spans of time. */

export const time = {
  now: "just now",
  minutes: "{n, number} min ago",
  hours: "{n, number} h ago",
  days: "{n, plural, one {yesterday} other {# days ago}}",
  seconds: "{n} s",
  minutesSeconds: "{minutes, number} min {seconds} s",
} as const;
