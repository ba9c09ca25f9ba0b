import { once } from "node:events";
import http from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { portOf } from "@/lib/testing/port";
import { HttpConnection } from "./http-connection";

const server = http.createServer((request, response) => {
  const bytes = Number(request.url?.slice(2));
  if (request.url?.startsWith("/l")) response.setHeader("content-length", bytes);
  if (request.url?.startsWith("/n")) return response.writeHead(304).end();
  if (request.url?.startsWith("/x")) return request.socket.destroy();
  response.statusCode = 201;
  // In pieces, so that chunks and segments do not end together.
  for (let sent = 0; sent < bytes; sent += 1000)
    response.write("0\r\n".repeat(1000).slice(0, Math.min(1000, bytes - sent)));
  response.end();
});
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => server.close());

it("finds the end of each response, by length, in chunks and without a body", async () => {
  const connection = await HttpConnection.open(portOf(server));
  const send = (path: string) => connection.send(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
  for (const path of ["/l0", "/l5", "/l100000", "/c0", "/c1", "/c5", "/c100000", "/l7"]) {
    const { status, bytes } = await send(path);
    expect([status, bytes > Number(path.slice(2))], path).toEqual([201, true]);
  }
  expect((await send("/n0")).status).toBe(304);
  expect((await send("/l3")).status).toBe(201);
  await expect(send("/x0")).rejects.toThrow();
});
