import { once } from "node:events";
import http from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { addressKeysOf, publishSocketAddresses } from "./address";

const addressOf = (headers: Headers, proxies: number) => addressKeysOf(headers, proxies).key;
const forwarded = (value: string) => new Headers({ "x-forwarded-for": value });
afterEach(() => {
  globalThis.parleyKnowsAddresses = undefined;
});

describe("addressKeysOf", () => {
  it("without trusted proxies does not read x-forwarded-for", () => {
    expect(addressOf(forwarded("192.0.2.1"), 0)).toBe("unknown");
  });
  it("counts trusted proxies from the right", () => {
    const headers = forwarded("6.6.6.6, 192.0.2.1, 10.0.0.1");
    expect(addressOf(headers, 1)).toBe("10.0.0.1");
    expect(addressOf(headers, 2)).toBe("192.0.2.1");
    expect(addressOf(headers, 9)).toBe("unknown");
  });
  it("counts an IPv6 address by its network", () => {
    expect(addressOf(forwarded("2001::1:2:3:4:5"), 1)).toBe("2001:0:0:1::/64");
  });
  it("does not believe the socket header before the server stamps it", () => {
    expect(addressOf(new Headers({ "x-parley-socket-address": "192.0.2.1" }), 0)).toBe("unknown");
  });
});

describe("publishSocketAddresses", () => {
  it("security F19: by itself does not make the header believed, where no server stamps it", () => {
    publishSocketAddresses();
    expect(addressOf(new Headers({ "x-parley-socket-address": "192.0.2.1" }), 0)).toBe("unknown");
  });

  it("overwrites what a client sends with the socket's own address", async () => {
    publishSocketAddresses();
    const server = http.createServer((request, response) => {
      const headers = new Headers();
      for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
      response.end(addressOf(headers, 0));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      headers: { "x-parley-socket-address": "6.6.6.6", "x-forwarded-for": "6.6.6.6" },
    });
    expect(await answer.text()).toBe("127.0.0.1");
    server.close();
  });
});
