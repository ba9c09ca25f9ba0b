import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { operations } from "@/lib/contract";
import { testDeployment } from "@/lib/testing/deployment";
import { undescribed, withoutReferences } from "@/lib/testing/references";
import { describeApi, openApiDocument } from "./openapi";

const reference = z.object({ $ref: z.string() });
const described = z.object({ name: z.string(), description: z.string().min(1) });
const operationSchema = z.object({
  summary: z.string().min(1),
  description: z.string().includes("For: "),
  parameters: z.array(described),
  responses: z.record(z.string(), z.looseObject({})),
});
const documentSchema = z.object({
  info: z.object({ description: z.string().includes("authorization: Bearer") }),
  tags: z.array(described),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
});

const raw = openApiDocument(operations, "https://parley.test");
const text = JSON.stringify(raw);

describe("the OpenAPI document", () => {
  it("is made once per installation: making it takes long, and anybody may ask", () => {
    const deployment = testDeployment();
    expect(describeApi({ deployment })).toBe(describeApi({ deployment }));
    expect(describeApi({ deployment: testDeployment() })).not.toBe(describeApi({ deployment }));
  });

  it("says what every operation, parameter and tag is", () => {
    documentSchema.parse(withoutReferences(raw));
  });

  it("says what every property is", () => {
    expect(text.match(/"properties":/g)?.length).toBeGreaterThan(300);
    expect(undescribed(raw)).toEqual([]);
  });

  it("names what several operations answer with, so that it stands there once", () => {
    const { schemas } = z.object({ schemas: z.record(z.string(), z.looseObject({})) }).parse(raw.components);
    for (const name of ["Post", "Topic", "Comment", "ProofRequirement", "Error", "ChatMessage", "Poll"])
      expect(schemas, name).toHaveProperty(name);
    expect(schemas.Post).toMatchObject({
      properties: { poll: { anyOf: [reference.parse(refTo("Poll")), {}] } },
    });
    expect(schemas.Error).toMatchObject({ properties: { proofRequirement: refTo("ProofRequirement") } });
    // One that adds a field says only this one.
    expect(JSON.stringify(Object(raw.paths)["/api/bookmarks"])).toContain(
      '"allOf":[{"$ref":"#/components/schemas/Post"},{"type":"object","properties":{"bookmarkedAt":',
    );
    // It was 1,131,000 bytes long when each operation had its own copy, and said nothing of what it showed.
    expect(text.length).toBeLessThan(565_000);
  });

  it("types the data of every event", () => {
    const event = z.object({
      properties: z.object({ event: z.object({ const: z.string() }), data: reference }),
    });
    const stream = z.object({ schema: z.object({ oneOf: z.array(event) }) });
    const answer = z.object({ content: z.object({ "text/event-stream": stream }) });
    const streams = operations.filter(({ events }) => events);
    expect(streams.length).toBeGreaterThan(1);
    for (const op of streams) {
      const { responses } = operationSchema.pick({ responses: true }).parse(Object(raw.paths)[op.path].get);
      const { schema } = answer.parse(responses[200]).content["text/event-stream"];
      const events = schema.oneOf.map(({ properties }) => properties);
      expect(
        events.map(({ event }) => event.const),
        op.id,
      ).toEqual(Object.keys(op.events ?? {}));
      for (const { data } of events) expect(withoutReferences({ ...raw, data }), data.$ref).toBeDefined();
    }
  });

  it("passes the rules that redocly recommends, its examples as well", async () => {
    const config = await createConfig({
      extends: ["recommended"],
      // The paths of the specification: /api/topics/join/{inviteCode} beside /api/topics/{topicId}/join.
      rules: { "no-ambiguous-paths": "off" },
    });
    const problems = await lintFromString({ source: text, config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });
});

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });
