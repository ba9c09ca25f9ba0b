import { once } from "node:events";
import http from "node:http";
import { privateKeyToAddress } from "viem/accounts";
import type { PublicWeb } from "@/lib/preview";
import { testDeployment } from "@/lib/testing/deployment";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { png } from "@/lib/testing/images";
import { fakeChain, testTrust } from "@/lib/testing/proofs";
import { startRecordWorld } from "@/lib/testing/records";
import { developmentKey } from "../stack/accounts";

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
  const board = await startRecordWorld();
  const key = developmentKey("recorder");
  await board.control.setBalance({ address: privateKeyToAddress(key), value: 10n ** 18n });
  const recording = board.options(key);
  const { services, ...rest } = testDeployment(recording.deployment);
  const h = await createHarness({
    ...recording,
    env: { ...recording.env, ...pushKeys },
    verify: fakeChain().verify,
    trust: testTrust,
    web: exampleSite,
    deployment: {
      ...rest,
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
      await board.stop();
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

/** VAPID keys of the examples, worth nothing anywhere else. */
const pushKeys = {
  VAPID_PUBLIC_KEY: "BEBpdnubxmpk8Azp2cPbcbT7qz8LGLf1yMGFjcjvLOyb_VuMknhnHuam1QGcOqp52KRXu3WmWwXLqi1TWKXhqQQ",
  VAPID_PRIVATE_KEY: "seU3W-ofPkEwzYDgt7j422NB_O8bqs0wq_Mh3l_uM7w",
  VAPID_SUBJECT: "mailto:push@example.org",
};

/** What the readiness check asks besides the chain: a prover that is up. */
async function startNeighbours() {
  const server = http.createServer((_, response) => {
    response.setHeader("content-type", "application/json");
    response.end("{}");
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
  post: async () => ({ status: 201, retryAfter: null }),
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
