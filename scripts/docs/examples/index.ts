import { contract } from "@/lib/contract";
import { type Example, example } from "../example";
import { anonymousExamples } from "./anonymous";
import { appExamples } from "./apps";
import { authExamples, lastExamples } from "./auth";
import { deskExamples } from "./desk";
import { liveExamples, profileExamples } from "./live";
import { moderationExamples, postExamples } from "./posts";
import { readingExamples } from "./reading";
import { topicEndExamples, topicExamples } from "./topics";

const { service } = contract;

const serviceExamples: readonly Example[] = [
  example(service.entrance)(),
  example(service.stats)(),
  example(service.health)(),
  example(service.ready)(),
  example(service.openapi)(),
  example(service.guide)({ input: () => ({ type: "workspace" }) }),
];

/** One example for every operation, in executable order. */
export const examples: readonly Example[] = [
  ...authExamples,
  ...topicExamples,
  ...postExamples,
  ...anonymousExamples,
  ...liveExamples,
  ...readingExamples,
  ...moderationExamples,
  ...appExamples,
  ...deskExamples,
  ...profileExamples,
  ...serviceExamples,
  ...topicEndExamples,
  ...lastExamples,
];
