import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { operation } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { withServices } from "@/lib/runtime/services";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { endpoint, type Handler } from "./endpoint";

let h: Harness;
let ada: TestUser;
beforeAll(async () => {
  h = await createHarness();
  ada = await h.login("ada");
});
afterAll(async () => await h.close());

/** An operation that shows each test what reaches its handler. */
const echo = operation({
  id: "test.echo",
  method: "POST",
  path: "/api/test/{topicId}",
  summary: "",
  tag: "test",
  auth: "none",
  nickname: false,
  access: "anyone",
  limit: { points: 1000, seconds: 60 },
  params: z.object({ topicId: z.uuid() }),
  query: z.object({ sort: z.enum(["new", "top"]).default("new") }),
  body: z.object({
    title: z.string().min(2).max(5),
    tags: z.array(z.string()).max(2).optional(),
    either: z.union([z.object({ a: z.string() }), z.object({ b: z.int() })]).optional(),
  }),
  responses: { 200: z.object({ title: z.string().max(5) }), 202: z.object({ later: z.literal(true) }) },
  errors: [],
});
const id = "11111111-1111-4111-8111-111111111111";
const answer: Handler<typeof echo> = (_, { title }) => ({ status: 200, body: { title } });

interface Sent {
  readonly topicId?: string;
  readonly query?: string;
  readonly body?: BodyInit;
  readonly headers?: Record<string, string>;
  readonly handler?: Handler<typeof echo>;
}

async function post({ topicId = id, query = "", body, headers, handler = answer }: Sent) {
  const request = new Request(`http://localhost:3000/api/test/x${query}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: body ?? '{"title":"abc"}',
    ...{ duplex: "half" },
  });
  const route = { params: Promise.resolve({ topicId }) };
  const response = await withServices(h.services, () => endpoint(echo, handler)(request, route));
  return {
    status: response.status,
    headers: response.headers,
    body: JSON.parse(await response.text()) as unknown,
  };
}

describe("every answer", () => {
  it("carries a request id: ours, or the caller's where it is harmless", async () => {
    const own = await post({});
    expect(own.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect((await post({ headers: { "x-request-id": "trace-1234.A_b" } })).headers.get("x-request-id")).toBe(
      "trace-1234.A_b",
    );
    for (const bad of ["short", "x".repeat(65), "white space here", "<script>alert(1)</script>"]) {
      expect((await post({ headers: { "x-request-id": bad } })).headers.get("x-request-id")).not.toBe(bad);
    }
  });

  it("may not be kept by anybody", async () => {
    expect((await post({})).headers.get("cache-control")).toBe("no-store");
    expect((await h.send("GET", "/api/nowhere")).headers.get("cache-control")).toBe("no-store");
  });

  it("of an error names the same request id in its body", async () => {
    const refused = await post({ body: "{" });
    expect(refused.body).toMatchObject({ requestId: refused.headers.get("x-request-id") });
  });
});

describe("400 and friends: what a body may not be", () => {
  it.each([
    ["no JSON", "{", 400, "invalid_json"],
    ["nothing", "", 400, "invalid_json"],
    ["a NUL byte in the text", '{"title":"a\0b"}', 400, "invalid_json"],
    ["an escaped NUL", '{"title":"a\\u0000b"}', 400, "invalid_request"],
    ["half a surrogate pair", '{"title":"a\\ud800"}', 400, "invalid_request"],
    ["an array", "[]", 400, "invalid_request"],
    ["null", "null", 400, "invalid_request"],
    ["half a megabyte of brackets", "[".repeat(500_000), 400, "invalid_json"],
    ["nested 200,000 deep", "[".repeat(200_000) + "]".repeat(200_000), 400, "invalid_json"],
    ["above 512 KiB", `{"title":"${"x".repeat(530_000)}"}`, 413, "body_too_large"],
  ])("%s", async (_, body, status, code) => {
    expect(await post({ body })).toMatchObject({ status, body: { code } });
  });

  it("broken UTF-8", async () => {
    expect((await post({ body: new Uint8Array([0x22, 0xff, 0x22]) })).body).toMatchObject({
      code: "invalid_json",
    });
  });

  it("a stream that never says how long it is is cut off", async () => {
    let chunks = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        chunks += 1;
        controller.enqueue(new Uint8Array(64 * 1024).fill(0x20));
      },
    });
    expect((await post({ body: endless })).status).toBe(413);
    expect(chunks).toBeLessThan(20);
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonx",
  ])("415 for %s, which a foreign form could send", async (type) => {
    expect(await post({ headers: { "content-type": type } })).toMatchObject({
      status: 415,
      body: { code: "unsupported_media_type" },
    });
  });
  it("takes a charset", async () => {
    expect((await post({ headers: { "content-type": "Application/JSON; charset=utf-8" } })).status).toBe(200);
  });
});

describe("400 invalid_request names the field and the rule", () => {
  it.each([
    ["{}", "title", "title is required."],
    ['{"title":"a"}', "title", "title must have at least 2 characters."],
    ['{"title":"abcdef"}', "title", "title must have at most 5 characters."],
    ['{"title":7}', "title", "title must be a string."],
    ['{"title":"abc","tags":["a","b","c"]}', "tags", "tags must have at most 2 entries."],
    ['{"title":"abc","tags":["a",1]}', "tags.1", "tags.1 must be a string."],
    ['{"title":"abc","either":{"b":1.5}}', "either.b", "either.b must be a whole number."],
  ])("%s", async (body, field, error) => {
    expect(await post({ body })).toMatchObject({
      status: 400,
      body: { code: "invalid_request", field, error },
    });
  });

  it("of the query", async () => {
    expect((await post({ query: "?sort=best" })).body).toMatchObject({
      field: "sort",
      error: "sort must be one of: new, top.",
    });
    expect((await post({ query: "?sort=a%00" })).body).toMatchObject({
      code: "invalid_request",
      field: "sort",
    });
  });

  it("but a path that cannot name anything is 404 of its resource", async () => {
    for (const topicId of ["1", "not-a-uuid", `${id}x`, "", "a\0"]) {
      expect(await post({ topicId })).toMatchObject({ status: 404, body: { code: "topic_not_found" } });
    }
  });
});

describe("what a handler returns and throws", () => {
  it("several statuses: the one it says", async () => {
    const later: Handler<typeof echo> = () => ({ status: 202, body: { later: true } });
    expect(await post({ handler: later })).toMatchObject({ status: 202, body: { later: true } });
  });

  it("fields the declaration does not name never leave", async () => {
    const leaky: Handler<typeof echo> = () => {
      const body = { title: "abc", identity_hash: "secret" };
      return { status: 200, body };
    };
    expect((await post({ handler: leaky })).body).toEqual({ title: "abc" });
  });

  it("an answer that breaks the declaration is our fault: 500", async () => {
    const wrong: Handler<typeof echo> = () => ({ status: 200, body: { title: "longer than declared" } });
    expect(await post({ handler: wrong })).toMatchObject({ status: 500, body: { code: "internal" } });
  });

  it("a 500 carries nothing of what was thrown", async () => {
    for (const thrown of [new Error("secret at db.internal:5432"), "secret", { secret: 1 }, null]) {
      const broken: Handler<typeof echo> = () => {
        throw thrown;
      };
      const { status, body } = await post({ handler: broken });
      expect(status).toBe(500);
      expect(Object.keys(Object(body)).toSorted()).toEqual(["code", "error", "requestId"]);
      expect(JSON.stringify(body)).not.toContain("secret");
    }
  });

  it("a refusal carries its code, field, status and retry-after, and not its cause", async () => {
    const refusing: Handler<typeof echo> = () => {
      throw new Refusal("verification_unavailable", {
        field: "title",
        status: 502,
        retryAfter: 7,
        cause: new Error("secret"),
        message: "Later.",
      });
    };
    const { status, headers, body } = await post({ handler: refusing });
    expect(status).toBe(502);
    expect(headers.get("retry-after")).toBe("7");
    expect(body).toMatchObject({ code: "verification_unavailable", error: "Later.", field: "title" });
    expect(JSON.stringify(body)).not.toContain("secret");
  });
});

describe("paths and methods", () => {
  it("unknown paths under /api are 404 with the error body, for every method", async () => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      for (const path of [
        "/api/nowhere",
        "/api/auth/callback/credentials",
        "/api/auth/signin",
        "/api/auth/csrf",
      ]) {
        expect(await h.send(method, path), `${method} ${path}`).toMatchObject({
          status: 404,
          body: { code: "not_found" },
        });
      }
    }
  });

  it("unknown methods of known paths are 405 and say what is allowed", async () => {
    const refused = await h.send("PATCH", "/api/auth/session");
    expect(refused).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
    expect(refused.headers.get("allow")).toBe("GET, HEAD");
  });
});

describe("the nickname rule", () => {
  it("403 nickname_required for who has not chosen one, and only where the operation says so", async () => {
    const stranger = await h.login();
    const vote = (token?: string) => h.send("POST", `/api/posts/${id}/vote`, { token, body: { value: 1 } });
    expect(await vote(stranger.token)).toMatchObject({ status: 403, body: { code: "nickname_required" } });
    expect(await vote(ada.token)).toMatchObject({ status: 404, body: { code: "post_not_found" } });
    expect(await vote()).toMatchObject({ status: 401, body: { code: "not_authenticated" } });
    expect((await h.send("GET", "/api/auth/session", { token: stranger.token })).status).toBe(200);
  });
});
