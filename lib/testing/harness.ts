import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { OpenDatabase } from "@/db/client";
import { openRecorder, type RecorderOptions } from "@/lib/chain/recorder";
import { createClient } from "@/lib/client";
import { contract } from "@/lib/contract";
import { makeContext, sessionEffects } from "@/lib/http/context";
import type { LiveSettings } from "@/lib/live/settings";
import type { PublicWeb } from "@/lib/preview/web";
import { openMembershipVerifier } from "@/lib/proofs/anonymous/open-verifier";
import type { Deployment } from "@/lib/proofs/deployment";
import { assembleServices, type ServiceParts, type Services } from "@/lib/runtime/assemble";
import { type Config, readConfig } from "@/lib/runtime/config";
import { withServices } from "@/lib/runtime/services";
import { type AcceptorParts, createProofAcceptor } from "@/lib/session/authorize";
import { callerFrom } from "@/lib/session/caller";
import type { MemberSessionContext } from "@/lib/session/context";
import { createIdentityHasher } from "@/lib/session/identity";
import type { Environment } from "@/lib/settings/read";
import { openStorage } from "@/lib/storage/open";
import { testCache, testDatabase } from "./backends";
import { testDeployment } from "./deployment";
import { dispatch } from "./routes";

const appUrl = "http://localhost:3000";

export interface HarnessOptions {
  /** Replaces the chain's answer; the default says that the chain cannot be asked. */
  readonly verify?: AcceptorParts["verify"];
  /** Replaces the pinned issuers' keys; the default trusts none. */
  readonly trust?: AcceptorParts["trust"];
  /** Replaces the check of proofs of membership; the default is the app's own. */
  readonly memberships?: Services["memberships"];
  /** Changes to the environment; rate and spam limits are off and DEV_LOGIN is on unless it says otherwise. */
  readonly env?: Environment;
  readonly deployment?: Partial<Deployment>;
  /** An open, migrated database; without it a new one of the back end in use. */
  readonly database?: OpenDatabase;
  readonly now?: () => Date;
  /** Times and sizes of the live side that differ from the usual. */
  readonly live?: Partial<LiveSettings>;
  /** Told of work that goes on after a response. */
  readonly holdOpen?: ServiceParts["holdOpen"];
  /** Replaces fetching from public addresses; the default reaches nothing of this machine. */
  readonly web?: PublicWeb;
  /** Of on-chain records, which are there where `deployment` has a record board and `env` a RECORD_KEY. */
  readonly recording?: RecorderOptions;
}

export interface SendOptions {
  readonly token?: string;
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, or null for an empty body and for bytes. */
  readonly body: unknown;
}

export interface TestUser {
  readonly userId: string;
  readonly nickname: string;
  readonly token: string;
  /** Typed calls as this user. */
  readonly api: ReturnType<typeof createClient>;
}

/**
 * The API in one process: the route files of app/api on a fresh migrated database in memory. `send` speaks HTTP,
 * `login` gives users with typed clients.
 *
 * Each harness has its own services, so several may run at once.
 */
export async function createHarness(options: HarnessOptions = {}) {
  const config: Config = readConfig({
    SESSION_SECRET: "test session secret, long enough to be one",
    USER_ID_SECRET: "test user id secret, which is another one",
    DEV_LOGIN: "1",
    RATE_LIMITS: "off",
    // Tests make many posts with new accounts, and the same ones.
    SPAM_LIMITS: "off",
    ...options.env,
  });
  const deployment = testDeployment(options.deployment);
  const database = options.database ?? (await testDatabase());
  const now = options.now ?? (() => new Date());
  // Made with the first file, by whichever test has one.
  const uploadsFolder = path.join(tmpdir(), `parley-uploads-${randomUUID()}`);
  const services: Services = assembleServices({
    config,
    deployment,
    database,
    web: options.web,
    holdOpen: options.holdOpen,
    liveSettings: options.live,
    recorder: openRecorder({ db: database.db, deployment, config, options: options.recording }),
    storage: openStorage({
      url: config.storageUrl,
      folder: uploadsFolder,
      env: config.mode,
      appUrl,
      secrets: config.sessionSecrets,
      now,
    }),
    cache: await testCache(database),
    memberships: options.memberships ?? openMembershipVerifier(),
    now,
    acceptProof: createProofAcceptor({
      db: database.db,
      deployment,
      hasher: createIdentityHasher(config.userIdSecret),
      trust: options.trust ?? { signersOf: async () => [] },
      verify: options.verify ?? (async () => "invalid"),
      now,
    }),
  });

  const harnessFetch: typeof fetch = async (input, init) => {
    const request = input instanceof Request ? input : new Request(new URL(String(input), appUrl), init);
    return await withServices(services, () => dispatch(request));
  };

  /** Sends one request to the API. `path` starts with /api. */
  async function send(method: string, path: string, sent: SendOptions = {}): Promise<Answer> {
    const headers = new Headers({ host: new URL(appUrl).host, ...sent.headers });
    if (sent.token !== undefined) headers.set("authorization", `Bearer ${sent.token}`);
    if (sent.cookie !== undefined) headers.set("cookie", `zk-community-session=${sent.cookie}`);
    if (sent.body !== undefined && !headers.has("content-type"))
      headers.set("content-type", "application/json");
    const body = typeof sent.body === "string" ? sent.body : JSON.stringify(sent.body);
    const response = await harnessFetch(new Request(new URL(path, appUrl), { method, headers, body }));
    // It would not end by itself; what it says is read by whoever fetches it.
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (isStream) await response.body?.cancel();
    const text = isStream ? "" : await response.text();
    const isBinary = /^(image|application\/(zip|octet-stream))/.test(
      response.headers.get("content-type") ?? "",
    );
    const parsed: unknown = text === "" || isBinary ? null : JSON.parse(text);
    return { status: response.status, headers: response.headers, body: parsed };
  }

  /** Typed calls as a user (or a guest without token). */
  const clientFor = (token?: string) =>
    createClient({ baseUrl: appUrl, token: () => token, fetch: harnessFetch });

  /** A development user with this nickname; without one, a new user who has not chosen a nickname. */
  async function login(nickname?: string): Promise<TestUser> {
    const signedIn = await clientFor().call(contract.auth.devLogin, { nickname });
    return { ...signedIn, api: clientFor(signedIn.token) };
  }

  /** The context a handler gets for this session, to call a function past `endpoint()`: races start at once. */
  async function memberContext(token: string): Promise<MemberSessionContext> {
    const request = new Headers({ authorization: `Bearer ${token}` });
    const caller = await callerFrom(request, services);
    if (!caller) throw new Error("that token is nobody's");
    const session = sessionEffects(services, request, new Headers());
    return { ...makeContext(services, caller), caller, session };
  }

  /** As if a minute had passed since this user's session got its current token. */
  async function minuteAfterRenewal(userId: string): Promise<void> {
    const renewed_at = new Date(now().getTime() - 60_000);
    await database.db.updateTable("sessions").set({ renewed_at }).where("user_id", "=", userId).execute();
  }

  return {
    services,
    db: database.db,
    memberContext,
    minuteAfterRenewal,
    /** Runs a community function as a page would, without HTTP. */
    run: <T>(work: () => T): T => withServices(services, work),
    fetch: harnessFetch,
    send,
    guest: clientFor(),
    clientFor,
    login,
    /** Waits for work that goes on after answers. */
    idle: () => services.idle(),
    uploadsFolder,
    async close() {
      await services.close();
      await rm(uploadsFolder, { recursive: true, force: true });
    },
  };
}

export type Harness = Awaited<ReturnType<typeof createHarness>>;
