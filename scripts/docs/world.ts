import { Hono } from "hono";
import { privateKeyToAddress } from "viem/accounts";
import type { PublicWeb } from "@/lib/preview/web";
import { testDeployment } from "@/lib/testing/deployment";
import { createHarness } from "@/lib/testing/harness";
import { png } from "@/lib/testing/images";
import { fakeChain, testTrust } from "@/lib/testing/proofs";
import { startRecordWorld } from "@/lib/testing/records";
import { listen } from "@/prover/http/listen";
import { developmentKey } from "../stack/accounts";

/** The users of the examples, by nickname. */
export type Person = "ada" | "bob" | "cleo" | "dora" | "newcomer" | "program" | "troll" | "leaver";

/** An installation in this process, with the results of its examples. */
export type World = Awaited<ReturnType<typeof createWorld>>;

/** Starts an empty installation with a local prover, chain and website. */
export async function createWorld() {
  // The readiness check needs a prover that is up.
  const prover = await listen(
    new Hono().all("*", (c) => c.json({})),
    { port: 0, host: "127.0.0.1" },
  );
  const board = await startRecordWorld();
  const key = developmentKey("recorder");
  await board.control.setBalance({ address: privateKeyToAddress(key), value: 10n ** 18n });
  const recording = board.options(key);
  const { services, ...rest } = testDeployment(recording.deployment);
  const h = await createHarness({
    ...recording,
    env: { ...recording.env, ...pushKeys, ANONYMOUS_MINIMUM: "2" },
    verify: fakeChain().verify,
    trust: testTrust,
    web: exampleSite,
    deployment: {
      ...rest,
      services: { ...services, proverUrl: prover.url },
    },
  });
  /** The session tokens of signed-in users. */
  const tokens = new Map<Person, string>();
  const users = new Map<Person, string>();
  const values = new Map<string, string>();
  const signedIn = (person: Person, token: string, userId: string) => {
    tokens.set(person, token);
    users.set(person, userId);
  };
  return {
    h,
    tokens,
    users,
    values,
    /** Stores IDs and other values that later examples need, by name. */
    keep(named: Readonly<Record<string, string>>) {
      for (const [name, value] of Object.entries(named)) values.set(name, value);
    },
    signedIn,
    async signIn(person: Person) {
      const user = await h.login(person === "newcomer" ? undefined : person);
      signedIn(person, user.token, user.userId);
      return user;
    },
    async close() {
      await h.close();
      await prover.close();
      await board.stop();
    },
  };
}

/** Returns a value that an earlier example stored. */
export function stored<Name extends string>(values: ReadonlyMap<Name, string>, name: Name): string {
  const value = values.get(name);
  if (value === undefined) throw new Error(`no example has stored ${name} yet`);
  return value;
}

/** Returns an ID or another value that an earlier example kept. */
export const leftBy = (world: World, name: string) => stored(world.values, name);

/** Returns the user ID of a signed-in user. */
export const idOf = (world: World, person: Person) => stored(world.users, person);

/** Returns the ID of the topic that most examples use, as input. */
export const topicOf = (world: World) => ({ topicId: leftBy(world, "topic") });

/** Returns the ID of the post that most examples use, as input. */
export const postOf = (world: World) => ({ postId: leftBy(world, "post") });

/** VAPID keys for the examples only. */
const pushKeys = {
  VAPID_PUBLIC_KEY: "BEBpdnubxmpk8Azp2cPbcbT7qz8LGLf1yMGFjcjvLOyb_VuMknhnHuam1QGcOqp52KRXu3WmWwXLqi1TWKXhqQQ",
  VAPID_PRIVATE_KEY: "seU3W-ofPkEwzYDgt7j422NB_O8bqs0wq_Mh3l_uM7w",
  VAPID_SUBJECT: "mailto:push@example.org",
};

const page = `<html><head><title>Slow software</title>
<meta property="og:description" content="On programs that may take their time.">
<meta property="og:site_name" content="Example"><meta property="og:image" content="/cover.png"></head></html>`;

/** The website that the examples link to. */
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
