import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { circuitIds } from "@/lib/proofs/deployment";
import { proverErrorCodes } from "@/lib/proofs/wire";
import { testDeployment } from "@/lib/testing/deployment";
import { undescribed } from "@/lib/testing/references";
import { openapiDocument } from "./openapi";

const services = { ...testDeployment().services, proverUrl: "https://prover.parley.test" };
const document = openapiDocument({ ...testDeployment(), services }, circuitIds);

describe("the prover's OpenAPI document", () => {
  it("says what every operation, parameter and property is", () => {
    expect(undescribed(document)).toEqual([]);
  });

  it("types errors and the events of a job", () => {
    expect(document.components.schemas).toMatchObject({
      ProverError: { properties: { error: { enum: proverErrorCodes } } },
    });
    const [stream, event] = ["/api/v1/jobs/{token}/events", "#/components/schemas/JobEvent"];
    expect(document.paths[stream]).toMatchObject({
      get: { responses: { 200: { content: { "text/event-stream": { schema: { $ref: event } } } } } },
    });
    expect(document.components.schemas).toMatchObject({
      JobEvent: { properties: { data: { $ref: "#/components/schemas/Job" } } },
    });
  });

  it("passes the rules that redocly recommends", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });
});
