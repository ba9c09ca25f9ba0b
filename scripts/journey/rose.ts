import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@/lib/client";
import { fetchBox } from "@/lib/client/anonymous/box";
import { checkBundle, fetchBundle } from "@/lib/client/anonymous/evidence";
import { listedRoots } from "@/lib/client/anonymous/roots";
import { contract } from "@/lib/contract";
import { faultOfBox } from "@/lib/proofs/anonymous/box";
import { BannedError } from "@/lib/proofs/anonymous/membership";
import { openMembershipVerifier } from "@/lib/proofs/anonymous/open-verifier";
import { testEngine } from "@/lib/proofs/testing/membership";
import { RoseMember } from "../rose/member";
import type { Client, Member } from "../stack/member";
import { step } from "./step";

/** Crowds are looked after every half minute. */
const COUNTED_MS = 90_000;

interface Rose {
  readonly appUrl: string;
  readonly topicId: string;
  /** The topic's owner, who enrolls as well. */
  readonly owner: Member;
  readonly others: readonly [Member, Member];
}

/** An agent under the rose: enrolls, posts, comments and votes without a name, is banned; a guest checks all of it. */
export async function underTheRose({ appUrl, topicId, owner, others }: Rose): Promise<void> {
  const { crowd } = await owner.api.call(contract.crowd.get, { topicId });
  if (crowd.minimum > 1 + others.length) {
    console.log(`Under the rose: left out, since a crowd needs ${crowd.minimum} members here.`);
    return;
  }
  const engine = testEngine();
  const verifier = openMembershipVerifier();
  const self = ({ token }: Member) =>
    new RoseMember({ appUrl, topicId, token, master: randomBytes(32), engine });
  const [bela, cleo] = [self(others[0]), self(others[1])];
  try {
    await step("three members enroll leaves of secrets of their own", async () => {
      for (const one of [self(owner), bela, cleo]) await one.enroll();
    });
    await step("the next root has them", () => counted(owner.api, topicId, 1 + others.length));
    await step("what carries a session is refused without a name: 400", async () => {
      const answer = await fetch(`${appUrl}/api/topics/${topicId}/anonymous/posts`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${others[0].token}` },
        body: "{}",
      });
      assert.equal(answer.status, 400);
      assert.match(await answer.text(), /credentials_not_allowed/);
    });
    const postId = await step("one of them posts without a name, with a proof", async (say) => {
      const said = { title: "What nobody says aloud", content: "<p>The plan is late.</p>", tags: [] };
      const { postId: id, anonymous } = await bela.post(said);
      say(`${anonymous.pseudonym}, one of ${anonymous.crowd}`);
      return id;
    });
    const { commentId } = await step("another one comments", () => cleo.comment(postId, "By a month."));
    const pollPost = await step("a poll with secret ballots: one ballot, and another choice", async () => {
      const { post } = await owner.api.call(contract.posts.create, {
        ...{ topicId, title: "Do we ship?", content: "<p>Vote.</p>" },
        poll: { options: ["Yes", "No"], isSecret: true },
      });
      await bela.vote(post.id, [2]);
      const { options } = await bela.vote(post.id, [1]);
      assert.deepEqual(
        options.map(({ voteCount }) => voteCount),
        [1, 0],
      );
      return post.id;
    });
    await step("staff ban whoever wrote the comment, and that author can prove nothing", async () => {
      await owner.api.call(contract.anonymous.ban, { postId, commentId, weeks: 1, reason: "A journey." });
      await sleep(5);
      await assert.rejects(cleo.comment(postId, "Again."), BannedError);
      await bela.comment(postId, "Others may.");
    });
    await step("the banned author deletes the comment, by a proof", async () => {
      await cleo.remove(postId, commentId);
      const { comments } = await owner.api.call(contract.posts.get, { postId });
      assert.equal(comments.find(({ id }) => id === commentId)?.isDeleted, true);
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
      const fetched = await fetchBox(createClient({ baseUrl: appUrl }), pollPost);
      assert(fetched);
      assert.equal(await faultOfBox(fetched.box, listedRoots(topicId, fetched.roots), { verifier }), null);
    });
  } finally {
    await engine.close();
    await verifier.close();
  }
}

async function counted(client: Client, topicId: string, size: number): Promise<void> {
  const until = Date.now() + COUNTED_MS;
  while (Date.now() < until) {
    const { crowd } = await client.call(contract.crowd.get, { topicId });
    if (crowd.latest?.size === size) return;
    await sleep(500);
  }
  throw new Error("the crowd does not count its members");
}
