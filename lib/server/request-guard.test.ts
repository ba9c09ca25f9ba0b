import { once } from "node:events";
import http from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorBodySchema } from "@/lib/contract/error-body";
import { requestGuard } from "./request-guard";
import { askRaw } from "./testing";

const guard = requestGuard({ https: true });
const server = http.createServer((request, response) => {
  if (!guard(request, response)) response.end("next");
});
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => {
  server.close();
});

async function ask(path: string, method = "GET") {
  const answer = await askRaw(server, { path, method, headers: { "x-request-id": "request-1" } });
  return { ...answer, body: answer.body.toString() };
}

describe("security F19, F3: in front of Next", () => {
  it.each([
    ["GET", "/api/posts/%ff", 404],
    ["GET", "/posts/%ff", 404],
    ["GET", "/%", 404],
    ["GET", "/uploads/%e0%a4%a?x=1", 404],
    ["GET", "/_next/image", 404],
    ["GET", "/_next/image?url=%2Fuploads%2Fx&w=3840&q=75", 404],
    ["GET", "/_next%2Fimage", 404],
    ["GET", "/_next/image/", 404],
    ["TRACE", "/", 405],
    ["PROPFIND", "/api/feed", 405],
  ])("%s %s is answered %i, as everything else is", async (method, path, status) => {
    const answer = await ask(path, method);
    expect(answer.status).toBe(status);
    expect(errorBodySchema.parse(JSON.parse(answer.body)).requestId).toBe("request-1");
    expect(answer.headers).toMatchObject({
      "x-request-id": "request-1",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "cache-control": "no-store",
    });
    if (status === 405) expect(answer.headers.allow).toContain("GET");
  });

  it("everything else goes on to Next, with the order to come by https", async () => {
    for (const path of ["/", "/posts/%C3%A9?q=%ff", "/_next/images"]) {
      expect(await ask(path)).toMatchObject({ status: 200, body: "next" });
    }
    expect((await ask("/")).headers["strict-transport-security"]).toBe("max-age=31536000");
  });
});
