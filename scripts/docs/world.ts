import { once } from "node:events";
import http from "node:http";
import type { PublicWeb } from "@/lib/preview";
import { testDeployment } from "@/lib/testing/deployment";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { png } from "@/lib/testing/images";
import { fakeChain, testTrust } from "@/lib/testing/proofs";

/** The people of the examples, by nickname. */
export type Person = "ada" | "bob" | "cleo" | "dora" | "newcomer" | "leaver";

/** An installation in this process, and what its examples have made so far. */
export interface World {
  readonly h: Harness;
  /** Session token of everybody who is signed in. */
  readonly tokens: Map<Person, string>;
  readonly users: Map<Person, string>;
  /** Ids and other values that later examples need, by a name of their own. */
  readonly values: Map<string, string>;
  signIn(person: Person): Promise<TestUser>;
  close(): Promise<void>;
}

/** Starts an empty installation whose prover, chain and web answer from here. */
export async function createWorld(): Promise<World> {
  const neighbours = await startNeighbours();
  const { chains, services, ...rest } = testDeployment();
  const h = await createHarness({
    verify: fakeChain().verify,
    trust: testTrust,
    web: exampleSite,
    deployment: {
      ...rest,
      chains: chains.map((chain) => ({ ...chain, rpcUrl: neighbours.url })),
      services: { ...services, proverUrl: neighbours.url },
    },
  });
  const tokens = new Map<Person, string>();
  const users = new Map<Person, string>();
  return {
    h,
    tokens,
    users,
    values: new Map(),
    async signIn(person) {
      const user = await h.login(person === "newcomer" ? undefined : person);
      tokens.set(person, user.token);
      users.set(person, user.userId);
      return user;
    },
    async close() {
      await h.close();
      await neighbours.close();
    },
  };
}

/** A value an earlier example left. */
export function leftBy(world: World, name: string): string {
  const value = world.values.get(name);
  if (value === undefined) throw new Error(`no example has left ${name} yet`);
  return value;
}

/** User id of somebody who signed in. */
export function idOf(world: World, person: Person): string {
  const id = world.users.get(person);
  if (id === undefined) throw new Error(`${person} has not signed in yet`);
  return id;
}

/** What the readiness check asks: a prover that is up, a chain that says which it is. */
async function startNeighbours() {
  const server = http.createServer((_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: "0x2105" }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

const page = `<html><head><title>Slow software</title>
<meta property="og:description" content="On programs that may take their time.">
<meta property="og:site_name" content="Example"><meta property="og:image" content="/cover.png"></head></html>`;

/** The one site the examples link to. */
const exampleSite: PublicWeb = {
  read: (address) => new URL(address),
  async get(url) {
    const isImage = url.pathname.endsWith(".png");
    const body = isImage ? new Uint8Array(png()) : new TextEncoder().encode(page);
    return {
      url,
      contentType: isImage ? "image/png" : "text/html; charset=utf-8",
      length: body.length,
      body: (async function* () {
        yield body;
      })(),
      close() {},
    };
  },
};
