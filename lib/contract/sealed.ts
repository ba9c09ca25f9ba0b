import { z } from "zod";
import { operation } from "./operation";

/** Seconds for which something sealed waits for its other device. */
export const sealedSeconds = 300;

/** 128 random bits in base64url, which the waiting device makes. */
const id = z.base64url().length(22);
const own = {
  tag: "crowds",
  path: "/api/me/sealed",
  auth: "required",
  nickname: false,
  access: "signed-in",
  personOnly: true,
  guestsSee: false,
} as const;

export const leaveSealed = operation({
  id: "sealed.leave",
  method: "PUT",
  summary: "Leave something sealed for another device of one's own, for five minutes",
  description:
    "For the secret of an anonymous self (docs/anonymous.md). The key is in the code that the other device shows, and in no request.",
  ...own,
  limit: { points: 20, seconds: 60 },
  body: z.object({ id, sealed: z.base64url().min(1).max(200) }),
  responses: { 200: z.object({ success: z.literal(true) }) },
});

export const takeSealed = operation({
  id: "sealed.take",
  method: "GET",
  summary: "What another device of one's own left under this id; null before that, and after five minutes",
  ...own,
  limit: { points: 300, seconds: 60 },
  query: z.object({ id }),
  responses: { 200: z.object({ sealed: z.string().nullable() }) },
});
