import { z } from "zod";
import { operation } from "./operation";
import { proofGuide, proofType } from "./proof-requirement";

const check = z.object({ name: z.string(), ok: z.boolean(), ms: z.number(), detail: z.string().optional() });

const healthBody = z.object({
  status: z
    .enum(["ok", "degraded", "unavailable"])
    .describe("degraded: serves, but something that only proofs need does not answer."),
  timestamp: z.iso.datetime(),
  uptime: z.number().describe("Seconds."),
  checks: z.array(check),
});

const open = {
  tag: "service",
  auth: "none",
  nickname: false,
  access: "anyone",
  limit: { points: 600, seconds: 60 },
} as const;

export const health = operation({
  id: "service.health",
  method: "GET",
  path: "/api/health",
  summary: "The process is up; nothing else is checked",
  ...open,
  responses: { 200: healthBody },
});

export const ready = operation({
  id: "service.ready",
  method: "GET",
  path: "/api/health/ready",
  summary: "The process can serve: database and cache answer",
  description:
    "For load balancers. Prover and chains are checked too: while one of them does not answer, status is degraded and the answer still 200.",
  ...open,
  responses: { 200: healthBody },
  errors: ["not_ready"],
});

export const openapi = operation({
  id: "service.openapi",
  method: "GET",
  path: "/api/docs/openapi.json",
  summary: "This document",
  ...open,
  responses: { 200: z.record(z.string(), z.unknown()) },
});

/** Guides that are served: to each kind of gate, and to signing in. */
export const guideTypes = ["sign_in", ...proofType.exclude(["none"]).options] as const;
export type GuideType = (typeof guideTypes)[number];

export const entrance = operation({
  id: "service.entrance",
  method: "GET",
  path: "/api",
  summary: "Where a program begins: the documents, the guides and the prover",
  ...open,
  responses: {
    200: z.object({
      name: z.string(),
      summary: z.string().describe("What this is."),
      version: z.string().describe("Version of the software."),
      openapi: z.url().describe("This API as an OpenAPI document."),
      documentation: z.url().describe("This API as a page."),
      llms: z.url().describe("How to sign in, and where everything is, in Markdown."),
      mcp: z
        .url()
        .describe("The same for models: an endpoint of the Model Context Protocol (Streamable HTTP)."),
      guides: z
        .array(
          z.object({
            type: z.enum(guideTypes).describe("What the proof is for."),
            title: z.string(),
            url: z.url(),
          }),
        )
        .describe("How to make each proof, step by step; `sign_in` first."),
      prover: z
        .object({
          url: z.url(),
          openapi: z.url().describe("Its API as an OpenAPI document."),
          x402: z.url().describe("What it sells, and for how much."),
        })
        .describe("Sells the proofs."),
    }),
  },
});

export const guide = operation({
  id: "service.proofGuide",
  method: "GET",
  path: "/api/docs/proof-guide/{type}",
  summary: "How to make the proof that a gate or signing in asks for",
  ...open,
  params: z.object({ type: z.enum(guideTypes).describe("The kind of gate, or `sign_in`.") }),
  responses: { 200: proofGuide },
  errors: ["not_found"],
});

export const stats = operation({
  id: "service.stats",
  method: "GET",
  path: "/api/stats",
  summary: "How many topics can be seen by everybody, and how many people are here",
  ...open,
  auth: "optional",
  sameForGuests: true,
  limit: { points: 300, seconds: 60 },
  responses: { 200: z.object({ totalTopics: z.int(), totalMembers: z.int() }) },
});
