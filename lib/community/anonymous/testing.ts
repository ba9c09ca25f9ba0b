import { createHash, randomUUID } from "node:crypto";
import { Noir } from "@noir-lang/noir_js";
import { bytesToHex, concat, hexToBytes, sha256 } from "viem";
import { contract, type Poll } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import {
  type AnonymousAct,
  ballotStatement,
  deletionStatement,
  pictureStatement,
  replacementStatement,
  topicElement,
} from "@/lib/proofs/anonymous/act";
import { leafOf } from "@/lib/proofs/anonymous/hash";
import { type Membership, membershipOf, unlinkedMembershipOf } from "@/lib/proofs/anonymous/membership";
import { circuitInputs, publicWords, sayingOf } from "@/lib/proofs/anonymous/statement";
import { CrowdTree } from "@/lib/proofs/anonymous/tree";
import { PROOF_BYTES } from "@/lib/proofs/anonymous/verifier";
import { membershipCircuit } from "@/lib/proofs/testing/membership";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { publishRoots } from "../crowd/publish";
import { addTo, signIn } from "../testing";
import { hex } from "./terms";

const ROUND_MS = 10 * 60 * 1000;

/** What stands for a proof of these words, where a test is not about proofs: they take a second each. */
function standIn(words: readonly `0x${string}`[]): Uint8Array {
  const digest = hexToBytes(sha256(concat([...words])));
  return Uint8Array.from({ length: PROOF_BYTES }, (_, i) => digest[i % 32] ?? 0);
}

/** Makes a stand-in, without solving the circuit: only where it would be solved. */
export function standInOf(...[of, member]: Parameters<typeof circuitInputs>): Uint8Array {
  return standIn(publicWords(of, sayingOf(of, member)));
}

/** Accepts stand-ins of exactly the words that the server makes. `Insider` makes them only where the circuit is satisfied. */
export const standInMemberships = {
  verify: async (proof: Uint8Array, words: readonly `0x${string}`[]) =>
    bytesToHex(proof) === bytesToHex(standIn(words)),
  close: async () => undefined,
};

/** Accepts stand-ins, and can hold acts after all that is looked up before their proofs are checked. */
export function heldMemberships() {
  let awaited = 0;
  let letGo = () => {};
  let gone = Promise.resolve();
  let arrive = () => {};
  let arrived = Promise.resolve();
  return {
    memberships: {
      ...standInMemberships,
      async verify(...given: Parameters<typeof standInMemberships.verify>) {
        awaited--;
        arrive();
        if (awaited === 0) letGo();
        if (awaited >= 0) await gone;
        return await standInMemberships.verify(...given);
      },
    },
    /** Holds acts from now on until so many are there. */
    until(count: number): void {
      awaited = count;
      gone = new Promise((resolve) => {
        letGo = resolve;
      });
      arrived = new Promise((resolve) => {
        arrive = resolve;
      });
    },
    /** Resolves when the first is there. */
    arrived: () => arrived,
    letGo: () => letGo(),
  };
}

/** Solves the circuit, and makes a stand-in. @throws when the inputs do not satisfy it */
export async function prove(...[of, member]: Parameters<typeof circuitInputs>): Promise<Uint8Array> {
  await new Noir(membershipCircuit()).execute(circuitInputs(of, member));
  return standInOf(of, member);
}

let secrets = BigInt(Date.now()) * 1_000_000n;

/** A member of a crowd with their secret, as a browser or an agent has it. */
export class Insider {
  readonly secret = ++secrets;
  #key: string | undefined;
  private readonly leaves = new Map<number, Uint8Array>();

  constructor(
    private readonly h: Harness,
    readonly user: TestUser,
    readonly topicId: string,
  ) {}

  /** Whoever asks for terms, and acts, is nobody. */
  get #nobody() {
    return this.h.guest;
  }

  async enrol(): Promise<void> {
    const leaf = hex(leafOf(this.secret, topicElement(this.topicId)));
    const { crowd } = await this.user.api.call(contract.crowd.enrol, { topicId: this.topicId, leaf });
    this.#key = crowd.termsKey ?? undefined;
  }

  async terms() {
    return (await this.#nobody.call(contract.anonymous.terms, { topicId: this.topicId, key: this.#key }))
      .terms;
  }

  /** Returns the leaves of a root, which are fetched once, as a client does. */
  private async leavesOf(number: number): Promise<Uint8Array> {
    const path = `/api/topics/${this.topicId}/crowd/roots/${number}/leaves`;
    const headers = { host: "localhost", authorization: `Bearer ${this.user.token}` };
    this.leaves.set(number, this.leaves.get(number) ?? (await bytesAt(this.h, path, headers)));
    return this.leaves.get(number) ?? new Uint8Array();
  }

  /** Proves an act, by default on the terms of now. @param prover makes the proof */
  async membership(
    act: AnonymousAct,
    slot = 0,
    { terms = this.terms(), prover = prove }: Proving = {},
  ): Promise<Membership> {
    const now = await terms;
    if (!now.root) throw new Error("no root yet");
    const leaves = await this.leavesOf(now.root.number);
    return await membershipOf(act, now, { secret: this.secret, root: now.root, leaves, slot }, prover);
  }

  /** Returns the body of a post, proven. */
  async post(slot = 0, written: Partial<Written> = {}, proving?: Proving) {
    const {
      id = randomUUID(),
      title = "Heard",
      content = "<p>Said under the rose.</p>",
      tags = [],
    } = written;
    const act = { kind: "post", topicId: this.topicId, postId: id, title, content, tags } as const;
    const membership = await this.membership(act, slot, proving);
    return { topicId: this.topicId, key: this.#key, id, title, content, tags: [...tags], membership };
  }

  /** Returns the body of a comment, proven. */
  async comment(
    postId: string,
    slot = 0,
    content = "Quite.",
    parentId: string | null = null,
    proving?: Proving,
  ) {
    const act = { kind: "comment", topicId: this.topicId, postId, parentId, content } as const;
    return {
      postId,
      key: this.#key,
      content,
      parentId,
      membership: await this.membership(act, slot, proving),
    };
  }

  /** Returns the body of a ballot, proven. @param terms by default those of now */
  async ballot(
    { id: pollId, postId, secret }: Poll,
    optionIds: readonly string[],
    counter = 0,
    { terms = this.terms(), prover = prove }: Proving = {},
  ) {
    if (!secret) throw new Error("votes have names");
    const { roots } = await this.user.api.call(contract.crowd.roots, { topicId: this.topicId, limit: 500 });
    const root = roots.find(({ number }) => number === secret.root);
    if (!root) throw new Error("no such root");
    const leaves = await this.leavesOf(root.number);
    const now = await terms;
    const statement = ballotStatement({ topicId: this.topicId, pollId, optionIds, counter });
    const acting = { secret: this.secret, root, leaves, slot: 0 };
    const proven = await unlinkedMembershipOf(statement, now, acting, prover);
    const membership = { at: now.at, ...proven };
    return { postId, key: this.#key, optionIds: [...optionIds], counter, membership };
  }

  /** Returns the body that deletes a text, proven by a root, by default the latest. */
  async deletion(postId: string, commentId: string | null = null, number?: number, prover = prove) {
    const { roots } = await this.user.api.call(contract.crowd.roots, { topicId: this.topicId, limit: 500 });
    const root = number ? roots.find((one) => one.number === number) : roots[0];
    if (!root) throw new Error("no such root");
    const leaves = await this.leavesOf(root.number);
    const statement = deletionStatement({ topicId: this.topicId, postId, commentId });
    const terms = { topic: hex(topicElement(this.topicId)), bans: [] };
    const acting = { secret: this.secret, root, leaves, slot: 0 };
    const membership = {
      root: root.number,
      ...(await unlinkedMembershipOf(statement, terms, acting, prover)),
    };
    return { postId, key: this.#key, commentId, membership };
  }

  /** Proves that this secret, whose leaf is to be replaced, has no ban. @param bans by default those of now */
  async former(leaf: string, { bans, prover = prove }: { bans?: readonly []; prover?: typeof prove } = {}) {
    const now = await this.terms();
    const own = hex(leafOf(this.secret, topicElement(this.topicId)));
    const { root } = await CrowdTree.of([BigInt(own)]);
    const acting = {
      ...{ secret: this.secret, slot: 0, root: { number: 0, root: hex(root) } },
      leaves: hexToBytes(own),
    };
    const statement = replacementStatement({ topicId: this.topicId, leaf });
    const about = { topic: now.topic, bans: bans ?? now.bans };
    return { at: now.at, ...(await unlinkedMembershipOf(statement, about, acting, prover)) };
  }

  /** Returns the body of a picture, proven. */
  async picture(image: string, slot = 0, { terms = this.terms(), prover = prove }: Proving = {}) {
    const now = await terms;
    if (!now.root) throw new Error("no root yet");
    const bytes = Buffer.from(image.slice(image.indexOf(",") + 1), "base64");
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const about = { topicId: this.topicId, sha256, epoch: now.epoch };
    const statement = pictureStatement(about, LIMITS.anonymous.picturesPerDay);
    const acting = {
      secret: this.secret,
      root: now.root,
      leaves: await this.leavesOf(now.root.number),
      slot,
    };
    const proven = await unlinkedMembershipOf(statement, now, acting, prover);
    const membership = { root: now.root.number, at: now.at, ...proven };
    return { topicId: this.topicId, key: this.#key, image, membership };
  }

  async addPicture(...given: Parameters<Insider["picture"]>) {
    return await this.#nobody.call(contract.anonymous.picture, await this.picture(...given));
  }

  async deleteText(...given: Parameters<Insider["deletion"]>) {
    return await this.#nobody.call(contract.anonymous.delete, await this.deletion(...given));
  }

  async cast(...given: Parameters<Insider["ballot"]>) {
    return await this.#nobody.call(contract.anonymous.ballot, await this.ballot(...given));
  }

  async writePost(...given: Parameters<Insider["post"]>) {
    return await this.#nobody.call(contract.anonymous.post, await this.post(...given));
  }

  async writeComment(...given: Parameters<Insider["comment"]>) {
    return await this.#nobody.call(contract.anonymous.comment, await this.comment(...given));
  }
}

async function bytesAt(h: Harness, path: string, headers: HeadersInit): Promise<Uint8Array> {
  const answer = await h.fetch(path, { headers });
  return new Uint8Array(await answer.arrayBuffer());
}

interface Written {
  readonly id: string;
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[];
}

interface Proving {
  readonly terms?: ReturnType<Insider["terms"]>;
  readonly prover?: (...given: Parameters<typeof circuitInputs>) => Promise<Uint8Array>;
}

/** Members of a topic who enrolled, and whom a root counts. @param setClock moves the harness's time to the next round */
export async function crowdOf(
  h: Harness,
  topicId: string,
  size: number,
  setClock: (at: number) => void,
): Promise<Insider[]> {
  const insiders: Insider[] = [];
  for (let i = 0; i < size; i++) {
    const user = await signIn(h, "insider");
    await addTo(h.db, topicId, user);
    const insider = new Insider(h, user, topicId);
    await insider.enrol();
    insiders.push(insider);
  }
  setClock(h.services.now().getTime() + ROUND_MS);
  await publishRoots(h.services);
  return insiders;
}
