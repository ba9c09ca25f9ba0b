import { createServer } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { portOf } from "@/lib/testing/port";
import { reasonOf } from "./finding";
import { ask } from "./services";

const index = createServer((request, response) => {
  response.writeHead(request.method === "POST" ? 200 : 404, { "content-type": "application/json" });
  response.end(JSON.stringify({ data: {} }));
});
beforeAll(() => new Promise<void>((resolve) => void index.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => index.close(resolve)));

it("asks an index that takes only POST by POST", async () => {
  const url = `http://127.0.0.1:${portOf(index)}/graphql`;
  expect(await ask(url, { query: "{__typename}" })).toMatchObject({ body: { data: {} } });
  expect(await ask(url)).toBe("status 404");
});

it("names a timeout", () => {
  expect(reasonOf(new DOMException("", "TimeoutError"))).toBe("TimeoutError");
});
