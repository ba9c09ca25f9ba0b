import { z } from "zod";
import { nickname } from "./common";
import { operation } from "./operation";

export const setNickname = operation({
  id: "profile.setNickname",
  method: "PUT",
  path: "/api/profile/nickname",
  summary: "Choose or change the nickname; reissues the session",
  tag: "profile",
  auth: "required",
  nickname: false,
  access: "signed-in",
  limit: { points: 10, seconds: 60 },
  body: z.object({ nickname }),
  responses: { 200: z.object({ nickname: z.string(), token: z.string() }) },
  errors: ["nickname_taken"],
});
