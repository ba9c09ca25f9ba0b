import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { numberToHex } from "viem";
import { createClient } from "@/lib/client";
import { fetchBox } from "@/lib/client/anonymous/box";
import { checkBundle, fetchBundle } from "@/lib/client/anonymous/evidence";
import { listedRoots } from "@/lib/client/anonymous/roots";
import { contract, type Poll } from "@/lib/contract";
import { type AnonymousAct, ballotStatement, topicElement } from "@/lib/proofs/anonymous/act";
import { faultOfBox } from "@/lib/proofs/anonymous/box";
import { leafOf } from "@/lib/proofs/anonymous/hash";
import { BannedError, membershipOf, proverOf, unlinkedMembershipOf } from "@/lib/proofs/anonymous/membership";
import { openMembershipVerifier } from "@/lib/proofs/anonymous/open-verifier";
import { topicSecret } from "@/lib/proofs/anonymous/secret";
import { testEngine } from "@/lib/proofs/testing/membership";
import type { Client } from "../stack/member";
import { step } from "./step";

/** Crowds are looked after every half minute. */
const COUNTED_MS = 90_000;

interface Rose {
  readonly appUrl: string;
  readonly topicId: string;
  /** The topic's owner, who enrols as well. */
  readonly owner: Client;
  readonly others: readonly [Client, Client];
}

/** An agent under the rose: enrols, posts, comments and votes without a name, is banned; a guest checks all of it. */
export async function underTheRose({ appUrl, topicId, owner, others }: Rose): Promise<void> {
  const { crowd } = await owner.call(contract.crowd.get, { topicId });
  if (crowd.minimum > 1 + others.length) {
    console.log(`Under the rose: left out, since a crowd needs ${crowd.minimum} members here.`);
    return;
  }
  const engine = testEngine();
  const verifier = openMembershipVerifier();
  const nobody = createClient({ baseUrl: appUrl });
  try {
    const prove = proverOf(engine);
    const secrets = await step("three members enrol leaves of secrets of their own", async () => {
      const made: bigint[] = [];
      for (const member of [owner, ...others]) {
        const secret = await topicSecret(randomBytes(32), topicId);
        const leaf = numberToHex(leafOf(secret, topicElement(topicId)), { size: 32 });
        await member.call(contract.crowd.enrol, { topicId, leaf });
        made.push(secret);
      }
      return made;
    });
    const [, bela = 0n, cleo = 0n] = secrets;
    const root = await step("the next root has them", async (say) => {
      const latest = await counted(owner, topicId, secrets.length);
      say(`${latest.size} members`);
      return latest;
    });
    const leaves = await leavesOf(appUrl, topicId, root.number);
    const membership = async (act: AnonymousAct, secret: bigint, slot: number) => {
      const { terms } = await nobody.call(contract.anonymous.terms, { topicId });
      return await membershipOf(act, terms, { secret, root, leaves, slot }, prove);
    };
    const postId = randomUUID();
    const written = { title: "What nobody says aloud", content: "<p>The plan is late.</p>", tags: [] };
    await step("one of them posts without a name, with a proof and no session", async (say) => {
      const proven = await membership({ kind: "post", topicId, postId, ...written }, bela, 0);
      const body = { topicId, id: postId, ...written, membership: proven };
      // The client leaves the session out by itself.
      const answer = await fetch(`${appUrl}/api/topics/${topicId}/anonymous/posts`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: "Bearer of somebody" },
        body: JSON.stringify(body),
      });
      assert.equal(answer.status, 400);
      assert.match(await answer.text(), /credentials_not_allowed/);
      const { anonymous } = await nobody.call(contract.anonymous.post, body);
      say(`${anonymous.pseudonym}, one of ${anonymous.crowd}`);
    });
    const commentOf = (content: string) => ({
      kind: "comment" as const,
      topicId,
      postId,
      parentId: null,
      content,
    });
    const commentId = await step("another one comments", async () => {
      const content = "By a month.";
      const proven = await membership(commentOf(content), cleo, 0);
      return (await nobody.call(contract.anonymous.comment, { postId, content, membership: proven }))
        .commentId;
    });
    const poll = await step("a poll with secret ballots, and one ballot", async () => {
      const opened = await openPoll(owner, topicId);
      const { terms } = await nobody.call(contract.anonymous.terms, { topicId });
      const [option] = opened.options;
      const choice = { optionIds: [option?.id ?? ""], counter: 0 };
      const statement = ballotStatement({ topicId, pollId: opened.id, ...choice });
      const proven = await unlinkedMembershipOf(
        statement,
        terms,
        { secret: bela, root, leaves, slot: 0 },
        prove,
      );
      const ballot = { postId: opened.postId, ...choice, membership: { at: terms.at, ...proven } };
      const { options } = await nobody.call(contract.anonymous.ballot, ballot);
      assert.equal(options[0]?.voteCount, 1);
      return opened;
    });
    await step("staff ban whoever wrote the comment, and that author can prove nothing", async () => {
      await owner.call(contract.anonymous.ban, { postId, commentId, weeks: 1, reason: "A journey." });
      await sleep(5);
      const banned = membership(commentOf("Again."), cleo, 1);
      await assert.rejects(banned, BannedError);
      const proven = await membership(commentOf("Others may."), bela, 1);
      await nobody.call(contract.anonymous.comment, { postId, content: "Others may.", membership: proven });
    });
    await step("a guest opens the letter, and checks it without asking anybody", async (say) => {
      const page = await fetch(`${appUrl}/letters/${postId}`);
      assert.equal(page.status, 200);
      assert.match(await page.text(), /The plan is late\./);
      const bundle = await fetchBundle(`${appUrl}/posts/${postId}`);
      const { fault, crowd: size } = await checkBundle(bundle, verifier);
      assert.equal(fault, null);
      const { act } = bundle.evidence;
      const changed = {
        ...bundle,
        evidence: { ...bundle.evidence, act: act && { ...act, title: "Another" } },
      };
      assert.equal((await checkBundle(changed, verifier)).fault, "words");
      say(`one of ${size}`);
    });
    await step("and counts the ballots again", async () => {
      const fetched = await fetchBox(nobody, poll.postId);
      assert(fetched);
      assert.equal(await faultOfBox(fetched.box, listedRoots(topicId, fetched.roots), { verifier }), null);
    });
  } finally {
    await engine.close();
    await verifier.close();
  }
}

async function counted(client: Client, topicId: string, size: number) {
  const until = Date.now() + COUNTED_MS;
  while (Date.now() < until) {
    const { crowd } = await client.call(contract.crowd.get, { topicId });
    if (crowd.latest?.size === size) return crowd.latest;
    await sleep(500);
  }
  throw new Error("the crowd does not count its members");
}

async function leavesOf(appUrl: string, topicId: string, number: number): Promise<Uint8Array> {
  const response = await fetch(`${appUrl}/api/topics/${topicId}/crowd/roots/${number}/leaves`);
  assert.equal(response.status, 200);
  return new Uint8Array(await response.arrayBuffer());
}

async function openPoll(owner: Client, topicId: string): Promise<Poll> {
  const { post } = await owner.call(contract.posts.create, {
    ...{ topicId, title: "Do we ship?", content: "<p>Vote.</p>" },
    poll: { options: ["Yes", "No"], isSecret: true },
  });
  assert(post.poll);
  return post.poll;
}
