import diagnostics from "node:diagnostics_channel";
import http, { type RequestListener, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRefusal } from "@/lib/errors";
import { portOf } from "@/lib/testing/port";
import { isPublicAddress } from "./address";
import { insideHosts } from "./testing/inside-hosts";
import { publicWeb, type WebOptions } from "./web";

/** Listens where no request of ours may arrive: loopback, every address of this machine, both families. */
let inside: Server;
/** Stands for a server of the public internet: the one loopback address these tests allow. */
let outside: Server;
const outsideAddress = "127.0.0.2";
let port: number;
let arrivals: string[] = [];
/** Connections this process tried to open, whether anybody listened there or not. */
let dialled = 0;
const countDial = () => {
  dialled += 1;
};
let redirectTo = "";
let mapped = false;

const listen = (server: Server, at: number, host: string) =>
  new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(at, host, () => resolve());
  });
const note =
  (where: string): RequestListener =>
  (request, response) => {
    arrivals.push(`${where} ${request.headers.host}${request.url}`);
    if (request.url === "/redirect") {
      // Header values are bytes: what is no ASCII goes out as UTF-8.
      response.writeHead(302, { location: Buffer.from(redirectTo).toString("latin1") });
    }
    response.end("reached");
  };

beforeAll(async () => {
  diagnostics.subscribe("net.client.socket", countDial);
  outside = http.createServer(note("outside"));
  await listen(outside, 0, outsideAddress);
  port = portOf(outside);
  inside = http.createServer(note("inside"));
  // Everything but what the other one has; IPv6 where this machine has it.
  await listen(inside, port, "127.0.0.1");
  mapped = await listen(http.createServer(note("inside")).unref(), port, "::1").then(
    () => true,
    () => false,
  );
});
afterAll(async () => {
  diagnostics.unsubscribe("net.client.socket", countDial);
  for (const server of [inside, outside]) await new Promise((resolve) => server.close(resolve));
});

/** What happens to a fetch: "reached", or the code of the refusal. */
async function attempt(url: string, options: WebOptions = {}): Promise<string> {
  arrivals = [];
  dialled = 0;
  const web = publicWeb({
    ports: [port, 80, 443],
    timeoutMs: 1_500,
    // Names lead to this machine: a name is no way around.
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    ...options,
  });
  try {
    const answer = await web.get(web.read(url, "url"), "*/*");
    answer.close();
    return "reached";
  } catch (error) {
    if (isRefusal(error)) return error.code;
    throw error;
  }
}
const asOutside = (address: string) => address === outsideAddress || isPublicAddress(address);

describe("fetching an address somebody gave us", () => {
  it("reaches a listener where that is allowed, so that these tests would notice", async () => {
    expect(await attempt(`http://${outsideAddress}:${port}/x`, { allows: asOutside })).toBe("reached");
    expect(arrivals).toEqual([`outside ${outsideAddress}:${port}/x`]);
    expect(await attempt(`http://127.0.0.1:${port}/`, { allows: () => true })).toBe("reached");
    expect(arrivals).toEqual([`inside 127.0.0.1:${port}/`]);
    expect(dialled).toBe(1);
    const resolve = async () => [{ address: outsideAddress, family: 4 }];
    expect(await attempt(`http://name.example:${port}/`, { allows: asOutside, resolve })).toBe("reached");
    expect(arrivals).toEqual([`outside name.example:${port}/`]);
  });

  it(`none of ${insideHosts.length} hosts reaches a listener`, async () => {
    expect(new Set(insideHosts).size).toBeGreaterThanOrEqual(120);
    for (const host of insideHosts) {
      const outcome = await attempt(`http://${host}:${port}/`);
      expect(["address_not_allowed", "upstream_failed"], host).toContain(outcome);
      expect(arrivals, host).toEqual([]);
      expect(dialled, host).toBe(0);
    }
    expect(mapped || "no IPv6 here").toBeTruthy();
  });

  it("none of them reaches one by a POST, and a redirect is followed nowhere", async () => {
    const message = { headers: { "x-test": "1" }, body: new TextEncoder().encode("words") };
    const post = async (url: string, options: WebOptions = {}) => {
      arrivals = [];
      dialled = 0;
      const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
      const web = publicWeb({ ports: [port], timeoutMs: 1_500, resolve, ...options });
      try {
        return (await web.post(web.read(url, "url"), message)).status;
      } catch (error) {
        if (isRefusal(error)) return error.code;
        throw error;
      }
    };
    expect(await post(`http://${outsideAddress}:${port}/x`, { allows: asOutside })).toBe(200);
    for (const host of insideHosts) {
      expect(["address_not_allowed", "upstream_failed"], host).toContain(
        await post(`http://${host}:${port}/`),
      );
      expect([arrivals, dialled], host).toEqual([[], 0]);
    }
    redirectTo = `http://${outsideAddress}:${port}/second`;
    expect(await post(`http://${outsideAddress}:${port}/redirect`, { allows: asOutside })).toBe(302);
    expect(arrivals).toEqual([`outside ${outsideAddress}:${port}/redirect`]);
  });

  it("none of them as the target of a redirect", async () => {
    for (const host of insideHosts) {
      redirectTo = `http://${host}:${port}/`;
      if (redirectTo.includes(outsideAddress)) continue;
      const resolve: WebOptions["resolve"] = async (name) => [
        { address: name === "start.example" ? outsideAddress : "127.0.0.1", family: 4 },
      ];
      const outcome = await attempt(`http://start.example:${port}/redirect`, { allows: asOutside, resolve });
      expect(outcome, host).toBe("upstream_failed");
      expect(arrivals, host).toEqual([`outside start.example:${port}/redirect`]);
      expect(dialled, host).toBe(1);
    }
  });

  it.each([
    "http://user@127.0.0.1/",
    "http://user:pass@example.com/",
    "http://example.com@127.0.0.1/",
    "http://127.0.0.1#@example.com/",
    "http://127.0.0.1\\@example.com/",
    "file:///etc/passwd",
    "ftp://example.com/",
    "gopher://127.0.0.1:70/_x",
    "data:text/html,x",
    "javascript:alert(1)",
    "blob:http://example.com/x",
    "//example.com/",
    "/etc/passwd",
    "http://",
    "http://[::1",
    "http://[fe80::1%25eth0]/",
    "http://256.256.256.256/",
    "http://1.2.3.4.5.6.7.8.9/",
    "http://example.com:22/",
    "http://example.com:0/",
    "https://example.com:8443/",
    "http://example.com:6379/",
    "http://exa mple.com/",
    "",
  ])("refuses %s before it asks anybody", async (url) => {
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return [{ address: "93.184.215.14", family: 4 }];
    };
    expect(await attempt(url, { resolve, ports: [80, 443] })).toBe("address_not_allowed");
    expect([asked, dialled]).toEqual([0, 0]);
  });

  it("dials the address it checked, though the name says something else a moment later", async () => {
    for (const later of ["127.0.0.1", "::1"]) {
      const answers = [outsideAddress, later, later];
      const resolve = async () => [{ address: answers.shift() ?? later, family: 4 }];
      const outcome = await attempt(`http://rebind.example:${port}/`, { allows: asOutside, resolve });
      expect(outcome).toBe("reached");
      expect(arrivals).toEqual([`outside rebind.example:${port}/`]);
      expect(answers).toHaveLength(2);
    }
  });

  it("resolves again for a redirect to the same name, and checks again", async () => {
    const answers = [outsideAddress, "127.0.0.1"];
    const resolve = async () => [{ address: answers.shift() ?? "", family: 4 }];
    redirectTo = `http://rebind.example:${port}/second`;
    const outcome = await attempt(`http://rebind.example:${port}/redirect`, { allows: asOutside, resolve });
    expect(outcome).toBe("upstream_failed");
    expect(arrivals).toEqual([`outside rebind.example:${port}/redirect`]);
    expect(dialled).toBe(1);
  });

  it("refuses a name of which one address is not public", async () => {
    const resolve = async () => [
      { address: outsideAddress, family: 4 },
      { address: "127.0.0.1", family: 4 },
    ];
    expect(await attempt(`http://two.example:${port}/`, { allows: asOutside, resolve })).toBe(
      "upstream_failed",
    );
    expect(await attempt(`http://none.example:${port}/`, { resolve: async () => [] })).toBe(
      "upstream_failed",
    );
    expect([arrivals, dialled]).toEqual([[], 0]);
  });

  it("follows three redirects and no fourth", async () => {
    redirectTo = "/redirect";
    const resolve = async () => [{ address: outsideAddress, family: 4 }];
    const outcome = await attempt(`http://loop.example:${port}/redirect`, { allows: asOutside, resolve });
    expect(outcome).toBe("upstream_failed");
    expect(arrivals).toHaveLength(4);
  });
});

describe("public addresses", () => {
  it.each([
    "8.8.8.8",
    "93.184.215.14",
    "1.1.1.1",
    "172.15.0.1",
    "172.32.0.1",
    "2606:4700::1111",
    "2a00:1450:4001::1",
  ])("%s is one", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
  it.each(["", "example.com", "127.0.0.1", "fe80::1%eth0", "::ffff:8.8.8.8"])("%s is none", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
