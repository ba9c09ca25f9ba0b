import { afterEach, describe, expect, it } from "vitest";
import { processState } from "@/lib/runtime/process";
import { addressKeysOf } from "./address";

const addressOf = (headers: Headers, proxies: number) => addressKeysOf(headers, proxies).key;
const forwarded = (value: string) => new Headers({ "x-forwarded-for": value });
const stamped = (value: string) => new Headers({ "x-parley-socket-address": value });
afterEach(() => {
  processState().entry = undefined;
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
  it("security F19: does not believe the socket header where no entry server stamps it", () => {
    expect(addressOf(stamped("192.0.2.1"), 0)).toBe("unknown");
  });
  it("takes the stamp of the entry server, unless proxies stand before it", () => {
    processState().entry = { attach: () => undefined, render: () => expect.fail() };
    expect(addressOf(stamped("192.0.2.1"), 0)).toBe("192.0.2.1");
    expect(addressOf(stamped("192.0.2.1"), 1)).toBe("unknown");
  });
});
