import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Noir } from "@noir-lang/noir_js";
import { chromium, type Page } from "@playwright/test";
import PQueue from "p-queue";
import { bytesToBigInt, bytesToHex, numberToHex } from "viem";
import { createClient } from "@/lib/client";
import { contract, type Poll } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { ballotStatement, topicElement } from "@/lib/proofs/anonymous/act";
import { leafOf } from "@/lib/proofs/anonymous/hash";
import { randomElement } from "@/lib/proofs/anonymous/secret";
import { circuitInputs, sayingOf } from "@/lib/proofs/anonymous/statement";
import { CrowdTree } from "@/lib/proofs/anonymous/tree";
import { CEREMONY_CRS } from "@/lib/proofs/testing/crs";
import { membershipCircuit } from "@/lib/proofs/testing/membership";
import { createRunner, ensureKeys, ensureSrs, loadArtifact, type Runner } from "@/prover/barretenberg";
import playwrightConfig from "../../../playwright.config";
import { ensureBrowser } from "../../stack/checks/browser";
import { ROOT } from "../../stack/settings";
import type { About } from "../report";
import type { Row } from "../row";
import { builtHome, type Closers } from "../stage";

/** For a thousand ballots. */
const MAX_RECOUNT_MS = 30_000;
const MAX_GATES = 8_192;
const NAME = "anonymous_membership";
const FAULT_MS = 120_000;
/** Crowds are looked after every half minute. */
const COUNTED_MS = 120_000;

type Client = ReturnType<typeof createClient>;

interface Voter {
  readonly secret: bigint;
  readonly api: Client;
}

/**
 * Fills a ballot box by as many members, with real proofs, and counts it again in Chromium: as it is, and with one ballot
 * changed, one dropped and one added.
 * @throws Error when a box that is right is not found so, or one that is wrong is
 */
export async function* benchBallots(ballots: number, about: About): AsyncGenerator<Row[]> {
  about.notes.push(
    "Every ballot is of another member, with a real proof. The recount is that of the poll's page, from the press to its result: it fetches the box and checks each proof in a worker of the page.",
  );
  const closers: Closers = [];
  try {
    const home = await builtHome(closers);
    await ensureBrowser();
    const app = await home.start({
      ...{ DEV_LOGIN: "1", RATE_LIMITS: "off", SPAM_LIMITS: "off" },
      ...{ ANONYMOUS_MINIMUM: "2", ANONYMOUS_ROUND_SECONDS: "1" },
    });
    closers.push(() => app.kill("SIGTERM"));
    const owner = await signIn(app.url);
    const topicId = await topicOf(owner);
    const voters = await new PQueue({ concurrency: 4 }).addAll(
      Array.from({ length: ballots }, () => () => join(app.url, topicId)),
    );
    await counted(owner, topicId, ballots);
    const poll = await openPoll(owner, topicId);
    const runner = await nativeRunner(closers);
    const seconds = await castAll(app.url, { topicId, poll, voters, owner }, runner);
    yield [
      { name: `${ballots} ballots, proven natively and cast, each`, value: seconds / ballots, unit: "ms" },
    ];
    const browser = await chromium.launch(playwrightConfig.use?.launchOptions);
    closers.push(() => browser.close());
    const page = await browser.newPage({ baseURL: app.url, serviceWorkers: "block" });
    const good = t("anonymous.ballot.good", { n: ballots });
    const ms = await recount(page, poll.postId, good);
    const limit = { most: MAX_RECOUNT_MS };
    yield [{ name: `${ballots} ballots recounted in Chromium`, value: ms, unit: "ms", limit }];
    for (const [name, lie, fault] of lies) {
      const found = t("anonymous.check.bad", { fault: t(`anonymous.ballot.faults.${fault}`) });
      yield [
        {
          name: `one ballot ${name}: found after`,
          value: await recount(page, poll.postId, found, lie),
          unit: "ms",
        },
      ];
    }
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

type Ballot = Readonly<Record<string, unknown>> & { readonly optionIds: readonly string[] };

/** What an operator could do to a box, and what is found. They also make the numbers fit, where that hides more. */
const lies = [
  [
    "changed",
    (box: readonly Ballot[]) => box.with(1, { ...at(box, 1), optionIds: at(box, 0).optionIds, counter: 9 }),
    "ballot",
  ],
  ["dropped", (box: readonly Ballot[]) => box.slice(1), "count"],
  ["added", (box: readonly Ballot[]) => [...box, at(box, 0)], "twice"],
] as const;

function at(box: readonly Ballot[], place: number): Ballot {
  const found = box[place];
  if (!found) throw new Error("the box is empty");
  return found;
}

/** Presses the button, and returns after how long this is on the page. @param lie changes the first page of the box */
async function recount(
  page: Page,
  postId: string,
  expected: string,
  lie?: (box: readonly Ballot[]) => readonly Ballot[],
): Promise<number> {
  await page.unrouteAll();
  if (lie)
    await page.route("**/poll/ballots?*", async (route) => {
      const response = await route.fetch();
      const { ballots, nextCursor } = await response.json();
      const isFirst = !new URL(route.request().url()).searchParams.has("cursor");
      await route.fulfill({ response, json: { ballots: isFirst ? lie(ballots) : ballots, nextCursor } });
    });
  await page.goto(`/posts/${postId}`);
  const button = page.getByRole("button", { name: t("anonymous.ballot.recount"), exact: true });
  const started = performance.now();
  await button.click();
  await page.getByText(expected).waitFor({ timeout: FAULT_MS });
  return performance.now() - started;
}

async function signIn(baseUrl: string): Promise<Client> {
  const guest = createClient({ baseUrl });
  const nickname = `b${Math.random().toString(36).slice(2, 12)}`;
  const { token } = await guest.call(contract.auth.devLogin, { nickname });
  return createClient({ baseUrl, token: () => token });
}

async function topicOf(owner: Client): Promise<string> {
  const { categories } = await owner.call(contract.categories.list, {});
  const categoryId = categories[0]?.id ?? "";
  return (await owner.call(contract.topics.create, { title: "The vote", categoryId })).topic.id;
}

async function join(baseUrl: string, topicId: string): Promise<Voter> {
  const api = await signIn(baseUrl);
  await api.call(contract.topics.join, { topicId });
  const secret = randomElement();
  const leaf = numberToHex(leafOf(secret, topicElement(topicId)), { size: 32 });
  await api.call(contract.crowd.enrol, { topicId, leaf });
  return { secret, api };
}

async function counted(api: Client, topicId: string, size: number): Promise<void> {
  const until = Date.now() + COUNTED_MS;
  while (Date.now() < until) {
    const { crowd } = await api.call(contract.crowd.get, { topicId });
    if (crowd.latest?.size === size) return;
    await sleep(500);
  }
  throw new Error("the crowd does not count its members");
}

async function openPoll(owner: Client, topicId: string): Promise<Poll> {
  const { post } = await owner.call(contract.posts.create, {
    ...{ topicId, title: "Do we ship?", content: "<p>Vote.</p>" },
    poll: { options: ["Yes", "No", "Later"], isSecret: true },
  });
  if (!post.poll) throw new Error("no poll");
  return post.poll;
}

async function nativeRunner(closers: Closers): Promise<Runner> {
  const artifact = await loadArtifact(path.join(ROOT, "circuits", "artifacts", `${NAME}.json`));
  const srs = await ensureSrs({ points: MAX_GATES, path: CEREMONY_CRS });
  const keys = await ensureKeys({ artifact, srs, threads: 2 });
  const runner = createRunner({ srs, circuits: [{ artifact, keys }] });
  closers.push(() => runner.close());
  await runner.warm();
  return runner;
}

interface Election {
  readonly topicId: string;
  readonly poll: Poll;
  readonly voters: readonly Voter[];
  readonly owner: Client;
}

/** Casts a ballot of each voter. @returns milliseconds of all of them */
async function castAll(
  baseUrl: string,
  { topicId, poll, voters, owner }: Election,
  runner: Runner,
): Promise<number> {
  const nobody = createClient({ baseUrl });
  const crowd = await crowdOf(baseUrl, topicId, poll);
  const noir = new Noir(membershipCircuit());
  const { postId } = poll;
  const started = performance.now();
  for (const [place, { secret }] of voters.entries()) {
    const { terms } = await nobody.call(contract.anonymous.terms, { topicId });
    const option = poll.options[place % poll.options.length];
    if (!option) throw new Error("no option");
    const statement = ballotStatement({ topicId, pollId: poll.id, optionIds: [option.id], counter: 0 });
    const of = { ...statement, root: crowd.root, topic: topicElement(topicId), bans: [] };
    const member = { secret, crowd, slot: 0, blinding: randomElement() };
    const { witness } = await noir.execute(circuitInputs(of, member));
    const { proof } = await runner.prove({ circuit: NAME, witness });
    const said = sayingOf(of, member);
    const hex = (element: bigint) => numberToHex(element, { size: 32 });
    const membership = {
      ...{ at: terms.at, proof: bytesToHex(proof), slotNullifier: hex(said.slotNullifier) },
      ...{ scopeNullifier: hex(said.scopeNullifier), tagCommitment: hex(said.tagCommitment) },
    };
    await nobody.call(contract.anonymous.ballot, { postId, optionIds: [option.id], counter: 0, membership });
  }
  const ms = performance.now() - started;
  const { post } = await owner.call(contract.posts.get, { postId });
  if (post.poll?.totalVotes !== voters.length) throw new Error("not every ballot was counted");
  return ms;
}

async function crowdOf(baseUrl: string, topicId: string, poll: Poll): Promise<CrowdTree> {
  const response = await fetch(`${baseUrl}/api/topics/${topicId}/crowd/roots/${poll.secret?.root}/leaves`);
  const packed = new Uint8Array(await response.arrayBuffer());
  const leaves = Array.from({ length: packed.length / 32 }, (_, i) =>
    bytesToBigInt(packed.subarray(32 * i, 32 * i + 32)),
  );
  return await CrowdTree.of(leaves);
}
