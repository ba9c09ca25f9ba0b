import { once } from "node:events";
import net from "node:net";
import { text } from "node:stream/consumers";
import { Hono } from "hono";
import { afterEach, expect, it } from "vitest";
import { listen, type RunningServer } from "./listen";

const app = new Hono().get("/", (c) => c.text("here"));
let server: RunningServer | undefined;
const sockets: net.Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.close();
});

async function connect(port: number): Promise<net.Socket> {
  const socket = net.connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  sockets.push(socket);
  await once(socket, "connect");
  return socket;
}
const local = { port: 0, host: "127.0.0.1" };

it("payments F21: an address has so many connections, and gets new ones when it closes some", async () => {
  server = await listen(app, local, { perAddress: 2 });
  const [first] = [await connect(server.port), await connect(server.port)];
  await once(await connect(server.port), "close");
  first?.destroy();
  const { url } = server;
  await expect.poll(async () => (await fetch(url).catch(() => undefined))?.status).toBe(200);
});

it("payments F21: proxies have as many as they need, and all together have an end", async () => {
  server = await listen(app, { ...local, behindProxies: true }, { perAddress: 1, connections: 2 });
  await connect(server.port);
  await connect(server.port);
  await once(await connect(server.port), "close");
});

it("payments F21: headers that do not come to an end are not waited for", async () => {
  server = await listen(app, local, { headersTimeout: 100, connectionsCheckingInterval: 50 });
  const socket = await connect(server.port);
  socket.write("GET / HTTP/1.1\r\nx-slow: ");
  const [answer] = await once(socket, "data");
  expect(String(answer)).toContain("408");
});

it("answers on the connections that wait when it closes", async () => {
  server = await listen(app, local);
  const { port, close } = server;
  const answers = Array.from({ length: 100 }, async () => {
    const socket = net.connect(port, "127.0.0.1");
    sockets.push(socket);
    socket.write("GET / HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n");
    return await text(socket);
  });
  await close();
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200/);
});

it("waits for the answers under way when it closes, and not for what may be asked after them", async () => {
  let asked: () => void = () => undefined;
  let answer: () => void = () => undefined;
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const mayAnswer = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const slow = new Hono().get("/", async (c) => {
    asked();
    await mayAnswer;
    return c.text("late");
  });
  server = await listen(slow, local);
  const { port, close } = server;
  const socket = await connect(port);
  const answered = once(socket, "data");
  socket.write("GET / HTTP/1.1\r\nhost: here\r\n\r\n");
  await isAsked;
  const closed = close();
  answer();
  expect(String(await answered)).toContain("200 OK");
  const begun = performance.now();
  await closed;
  // A kept connection may be used again for five seconds.
  expect(performance.now() - begun).toBeLessThan(2_500);
});
