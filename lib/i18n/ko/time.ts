/** Words for moments and spans of time. */

import type { en } from "../en";
import type { Translation } from "../words";

export const time = {
  now: "방금",
  minutes: "{n, number}분 전",
  hours: "{n, number}시간 전",
  days: "{n, plural, =1 {어제} other {#일 전}}",
  seconds: "{n}초",
  minutesSeconds: "{minutes, number}분 {seconds}초",
} as const satisfies Translation<typeof en.time>;
