import http, { type RequestListener, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRefusal } from "@/lib/errors";
import { isPublicAddress } from "./address";
import { publicWeb, type WebOptions } from "./web";

/** Listens where no request of ours may arrive: loopback, every address of this machine, both families. */
let inside: Server;
/** Stands for a server of the public internet: the one loopback address these tests allow. */
let outside: Server;
const outsideAddress = "127.0.0.2";
let port: number;
let arrivals: string[] = [];
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
  outside = http.createServer(note("outside"));
  await listen(outside, 0, outsideAddress);
  const address = outside.address();
  port = typeof address === "object" && address ? address.port : 0;
  inside = http.createServer(note("inside"));
  // Everything but what the other one has; IPv6 where this machine has it.
  await listen(inside, port, "127.0.0.1");
  mapped = await listen(http.createServer(note("inside")).unref(), port, "::1").then(
    () => true,
    () => false,
  );
});
afterAll(async () => {
  for (const server of [inside, outside]) await new Promise((resolve) => server.close(resolve));
});

/** What happens to a fetch: "reached", or the code of the refusal. */
async function attempt(url: string, options: WebOptions = {}): Promise<string> {
  arrivals = [];
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

/** Hosts that lead, or once led some client, to a machine inside. */
const hosts = [
  // Loopback, in every spelling of IPv4 (WHATWG URL, 3.5)
  ...[
    "127.0.0.1",
    "127.0.0.2",
    "127.1",
    "127.0.1",
    "127.255.255.254",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0x7F.0x0.0x0.0x1",
  ],
  ...[
    "017700000001",
    "0177.0.0.1",
    "0177.0.1",
    "00177.0.0.0x1",
    "0000127.0.0.1",
    "127.0.0.1.",
    "127.0.0.01",
    "0x7f.0.0.0x01",
  ],
  ...[
    "127.0.0.0x1",
    "127.00.00.1",
    "%31%32%37.0.0.1",
    "１２７.0.0.1",
    "①②⑦.0.0.1",
    "127。0。0。1",
    "0x7f.0.1.",
    "127.65535",
  ],
  // This host, broadcast
  ...["0.0.0.0", "0", "00", "0x0", "0.1.2.3", "0.0.0.0.", "255.255.255.255", "4294967295", "0xffffffff"],
  // Private, shared, link-local, metadata services
  ...[
    "10.0.0.1",
    "10.255.255.255",
    "0xa000001",
    "167772161",
    "012.1",
    "10.1",
    "172.16.0.1",
    "172.31.255.254",
    "0xac100001",
  ],
  ...[
    "192.168.0.1",
    "192.168.1",
    "3232235521",
    "0300.0250.0.1",
    "100.64.0.1",
    "100.127.255.254",
    "169.254.169.254",
    "2852039166",
  ],
  ...["0xa9fea9fe", "0251.0376.0251.0376", "169.254.43518", "169.254.0.1"],
  // Special, documentation, benchmarking, multicast, reserved
  ...[
    "192.0.0.1",
    "192.0.0.170",
    "192.0.2.1",
    "192.88.99.1",
    "198.18.0.1",
    "198.19.255.254",
    "198.51.100.1",
    "203.0.113.1",
  ],
  ...[
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "254.1.1.1",
    "192.31.196.1",
    "192.52.193.1",
    "192.175.48.1",
  ],
  // IPv6: loopback, unspecified, local, multicast
  ...[
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[0000::0001]",
    "[fe80::1]",
    "[febf::1]",
    "[fec0::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
  ],
  ...["[fdff::1]", "[ff02::1]", "[ff0e::1]"],
  // IPv4 inside IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo
  ...[
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::FFFF:10.0.0.1]",
    "[0:0:0:0:0:ffff:a9fe:a9fe]",
    "[::ffff:0:127.0.0.1]",
  ],
  ...[
    "[::127.0.0.1]",
    "[::7f00:1]",
    "[::ffff:8.8.8.8]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::a9fe:a9fe]",
    "[64:ff9b:1::7f00:1]",
  ],
  ...[
    "[64:ff9b::808:808]",
    "[2002:7f00:1::]",
    "[2002:a00:1::1]",
    "[2002:808:808::1]",
    "[2001:0:7f00:1::]",
    "[2001::1]",
  ],
  // IPv6: discard, documentation, benchmarking, ORCHID, segment routing, not handed out
  ...[
    "[100::1]",
    "[2001:db8::1]",
    "[3fff::1]",
    "[2001:2::1]",
    "[2001:10::1]",
    "[2001:20::1]",
    "[5f00::1]",
    "[4000::1]",
    "[8000::1]",
  ],
  // Names
  ...[
    "localhost",
    "LOCALHOST",
    "localhost.",
    "a.localhost",
    "a.localhost.",
    "ⓛocalhost",
    "localhost.localdomain",
    "ip6-localhost",
  ],
  ...[
    "internal",
    "metadata.google.internal",
    "127.0.0.1.nip.example",
    "rebind.example",
    "xn--.example",
    "router.local",
  ],
];

describe("fetching an address somebody gave us", () => {
  it("reaches a listener where that is allowed, so that these tests would notice", async () => {
    expect(await attempt(`http://${outsideAddress}:${port}/x`, { allows: asOutside })).toBe("reached");
    expect(arrivals).toEqual([`outside ${outsideAddress}:${port}/x`]);
    expect(await attempt(`http://127.0.0.1:${port}/`, { allows: () => true })).toBe("reached");
    expect(arrivals).toEqual([`inside 127.0.0.1:${port}/`]);
    const resolve = async () => [{ address: outsideAddress, family: 4 }];
    expect(await attempt(`http://name.example:${port}/`, { allows: asOutside, resolve })).toBe("reached");
    expect(arrivals).toEqual([`outside name.example:${port}/`]);
  });

  it(`none of ${hosts.length} hosts reaches a listener`, async () => {
    expect(new Set(hosts).size).toBeGreaterThanOrEqual(120);
    for (const host of hosts) {
      const outcome = await attempt(`http://${host}:${port}/`);
      expect(["address_not_allowed", "upstream_failed"], host).toContain(outcome);
      expect(arrivals, host).toEqual([]);
    }
    expect(mapped || "no IPv6 here").toBeTruthy();
  });

  it("none of them as the target of a redirect", async () => {
    for (const host of hosts) {
      redirectTo = `http://${host}:${port}/`;
      if (redirectTo.includes(outsideAddress)) continue;
      const resolve: WebOptions["resolve"] = async (name) => [
        { address: name === "start.example" ? outsideAddress : "127.0.0.1", family: 4 },
      ];
      const outcome = await attempt(`http://start.example:${port}/redirect`, { allows: asOutside, resolve });
      expect(outcome, host).toBe("upstream_failed");
      expect(arrivals, host).toEqual([`outside start.example:${port}/redirect`]);
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
    expect(asked).toBe(0);
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
    expect(arrivals).toEqual([]);
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
