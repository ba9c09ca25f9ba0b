import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { apiRoutes } from "@/app/api/routes";
import { contract, type OperationSpec, operations, takesIdempotencyKey } from "@/lib/contract";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { withoutReferences } from "@/lib/testing/references";
import { routeFiles, routeModule } from "@/lib/testing/routes";
import { methods } from "./methods";
import { errorsByStatus } from "./openapi";

const parameterSchema = z.object({
  name: z.string(),
  in: z.enum(["path", "query", "header"]),
  required: z.boolean(),
  schema: z.looseObject({}),
});
const responseSchema = z.looseObject({ description: z.string().min(1) });
const operationSchema = z.object({
  operationId: z.string(),
  summary: z.string().min(1),
  tags: z.array(z.string()),
  parameters: z.array(parameterSchema),
  requestBody: z
    .looseObject({ content: z.looseObject({ "application/json": z.looseObject({}) }) })
    .optional(),
  responses: z.record(z.string().regex(/^[1-5]\d\d$/), responseSchema),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  "x-ratelimit": z.object({ points: z.int().positive(), seconds: z.int().positive(), per: z.string() }),
});
const documentSchema = z.object({
  openapi: z.literal("3.1.0"),
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  servers: z.array(z.object({ url: z.url() })),
  tags: z.array(z.object({ name: z.string() })),
  paths: z.record(z.string().regex(/^\/api(\/|$)/), z.record(z.string(), operationSchema)),
  components: z.object({
    schemas: z.record(z.string(), z.looseObject({})),
    parameters: z.record(z.string(), parameterSchema),
    responses: z.record(z.string(), responseSchema),
    headers: z.record(z.string(), z.looseObject({ description: z.string().min(1) })),
    securitySchemes: z.record(z.string(), z.looseObject({ type: z.string() })),
  }),
});

let h: Harness;
let raw: unknown;
let document: z.infer<typeof documentSchema>;
beforeAll(async () => {
  h = await createHarness();
  raw = (await h.send("GET", "/api/docs/openapi.json")).body;
  document = documentSchema.parse(withoutReferences(raw));
});
afterAll(async () => await h.close());

/** Returns what the document says of an operation, with what it refers to in place. */
const describedAt = (op: OperationSpec) => {
  const found = document.paths[op.path]?.[op.method.toLowerCase()];
  if (!found) throw new Error(`${op.id} is not described`);
  return found;
};

describe("the OpenAPI document", () => {
  it("describes every operation once, with its own id", () => {
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map((op) => op.operationId),
    );
    expect(ids.toSorted()).toEqual(operations.map((op) => op.id).toSorted());
  });

  it("declares exactly the parameters its paths name", () => {
    for (const op of operations) {
      const named = [...op.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const declared = describedAt(op).parameters.filter((parameter) => parameter.in === "path");
      expect(
        declared.map(({ name }) => name),
        op.id,
      ).toEqual(named);
      expect(
        declared.every(({ required }) => required),
        op.id,
      ).toBe(true);
    }
  });

  it("has every status and code of every operation", () => {
    for (const op of operations) {
      const { responses } = describedAt(op);
      const success = op.binary || op.events ? ["200"] : Object.keys(op.responses);
      const expected = [...success, ...[...errorsByStatus(op).keys()].map(String)];
      expect(Object.keys(responses).toSorted(), op.id).toEqual([...new Set(expected)].toSorted());
      for (const [status, codes] of errorsByStatus(op)) {
        for (const code of codes)
          expect(responses[String(status)]?.description, op.id).toContain(`\`${code}\``);
      }
    }
  });

  it("gives proof_required the status each operation really uses", () => {
    expect(errorsByStatus(contract.topics.join).get(402)).toEqual(["proof_required"]);
    expect(errorsByStatus(contract.topics.create).get(400)).toContain("proof_required");
    expect(errorsByStatus(contract.topics.joinByInvite).get(403)).toContain("proof_required");
  });

  it("offers Idempotency-Key on exactly the operations that create something", () => {
    const offering = operations.filter((op) =>
      describedAt(op).parameters.some(
        ({ in: place, name }) => place === "header" && name === "Idempotency-Key",
      ),
    );
    expect(offering.map(({ id }) => id)).toEqual(operations.filter(takesIdempotencyKey).map(({ id }) => id));
    expect(offering).toContain(contract.topics.create);
    expect(offering).not.toContain(contract.posts.vote);
    for (const op of offering) {
      expect(op.method, op.id).toBe("POST");
      expect(describedAt(op).parameters.find(({ in: place }) => place === "header")?.required).toBe(false);
      expect(errorsByStatus(op).get(409), op.id).toEqual(
        expect.arrayContaining(["idempotency_in_progress", "idempotency_mismatch"]),
      );
      expect(errorsByStatus(op).get(400), op.id).toContain("invalid_request");
    }
  });

  it("says of bytes what they are, and of forms that a file is one", () => {
    for (const op of operations.filter(({ binary }) => binary !== undefined)) {
      expect(describedAt(op).responses[200], op.id).toMatchObject({
        content: { [op.binary ?? ""]: { schema: { type: "string", format: "binary" } } },
      });
    }
    expect(describedAt(contract.previews.image).responses[200]).toMatchObject({ content: { "image/*": {} } });
    expect(describedAt(contract.uploads.create).requestBody?.content).toMatchObject({
      "application/json": {},
      "multipart/form-data": { schema: { properties: { file: { type: "string", format: "binary" } } } },
    });
    const forms = operations.filter((op) => describedAt(op).requestBody?.content["multipart/form-data"]);
    expect(forms.map(({ id }) => id)).toEqual(
      operations.filter(({ multipart }) => multipart).map(({ id }) => id),
    );
  });

  it("resolves every reference, and no zod-only keyword is left", () => {
    const text = JSON.stringify(raw);
    const { schemas, parameters, responses, headers } = document.components;
    const known = { schemas, parameters, responses, headers };
    const named = Object.entries(known).flatMap(([place, parts]) =>
      Object.keys(parts).map((name) => `#/components/${place}/${name}`),
    );
    const referredTo = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, ref]) => ref ?? "");
    expect(referredTo.filter((ref) => !named.includes(ref))).toEqual([]);
    expect(text).not.toContain("$defs");
    // The entrance has a field of this name.
    expect(text.replaceAll('"openapi":{"type":"string"', "")).not.toContain('"openapi":{');
  });

  it("shows sessions as cookie or bearer where they are needed, and says where they are optional", () => {
    expect(describedAt(contract.posts.vote).security).toEqual([{ cookie: [] }, { bearer: [] }]);
    expect(describedAt(contract.posts.get).security).toEqual([{}, { cookie: [] }, { bearer: [] }]);
    expect(describedAt(contract.auth.verify).security).toEqual([]);
    expect(Object.keys(document.components.securitySchemes)).toEqual(["cookie", "bearer"]);
  });

  it("says of a page size what it means, not how it is parsed", () => {
    const limit = describedAt(contract.posts.list).parameters.find(({ name }) => name === "limit");
    expect(limit).toMatchObject({ required: false, schema: { type: "integer", maximum: 100, default: 20 } });
  });

  it("may be kept by anybody for a while: it is the same for all", async () => {
    expect((await h.send("GET", "/api/docs/openapi.json")).headers.get("cache-control")).toBe(
      "public, max-age=300",
    );
  });
});

describe("contract and app/api", () => {
  it("every operation has a route file that exports its method", async () => {
    const files = new Map(routeFiles().map((route) => [route.path, route.file]));
    for (const op of operations) {
      const file = files.get(op.path);
      expect(file, `${op.id}: no route file for ${op.path}`).toBeDefined();
      const source = readFileSync(file ?? "", "utf8");
      expect(source, op.id).toMatch(new RegExp(`export const ${op.method} = endpoint\\(`));
    }
  });

  it("the entry server has every operation", () => {
    const served = apiRoutes.flatMap((route) =>
      Object.values(route).flatMap((handler) => ("op" in handler ? handler.op.id : [])),
    );
    expect(served.toSorted()).toEqual(operations.map((op) => op.id).toSorted());
  });

  it("every route file serves declared operations only, and answers each other method", async () => {
    for (const { path, file } of routeFiles()) {
      if (path.includes("{...")) continue;
      const declared = operations.filter((op) => op.path === path).map((op) => op.method);
      const bound = [...readFileSync(file, "utf8").matchAll(/export const (\w+) = endpoint\(/g)].map(
        (m) => m[1],
      );
      expect(bound.toSorted(), path).toEqual(declared.toSorted());
      expect(Object.keys(await routeModule(file)).toSorted(), path).toEqual(methods.toSorted());
    }
  });
});

describe("proof guides", () => {
  it("200 for each kind of gate, with steps an agent can follow where the circuit is offered", async () => {
    for (const type of ["workspace_a", "workspace"]) {
      const { status, body } = await h.send("GET", `/api/docs/proof-guide/${type}`);
      expect(status).toBe(200);
      const text = JSON.stringify(body);
      for (const part of ["/api/auth/challenge", "/device/auth", "/token", "/api/v1/prove", "0.10 USDC"]) {
        expect(text, part).toContain(part);
      }
    }
    for (const type of ["kyc", "country", "workspace_b"]) {
      expect((await h.send("GET", `/api/docs/proof-guide/${type}`)).status).toBe(200);
    }
  });

  it("200 for signing in: from a challenge to a name, over plain HTTP", async () => {
    const { status, body } = await h.send("GET", "/api/docs/proof-guide/sign_in");
    expect(status).toBe(200);
    const text = JSON.stringify(body);
    const calls = ["/api/auth/challenge", "/device/auth", "/token", "/api/v1/prove"];
    for (const call of [...calls, "/api/auth/verify/ai", "/api/profile/nickname"]) {
      expect(text, call).toContain(call);
    }
    expect(text).not.toMatch(/undefined|With your session/);
  });

  it("404 for what is no gate", async () => {
    for (const type of ["none", "constructor", "x"]) {
      expect((await h.send("GET", `/api/docs/proof-guide/${type}`)).body).toMatchObject({
        code: "not_found",
      });
    }
  });
});
