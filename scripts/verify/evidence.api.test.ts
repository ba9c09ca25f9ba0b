import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bundle, checkBundle, fetchBundle, readBundle } from "@/lib/client/anonymous/evidence";
import { crowdOf } from "@/lib/community/anonymous/testing";
import { makePost, makeTopic, signIn } from "@/lib/community/testing";
import { openMembershipVerifier } from "@/lib/proofs/anonymous/open-verifier";
import { circuitInputs } from "@/lib/proofs/anonymous/statement";
import { testEngine } from "@/lib/proofs/testing/membership";
import { createHarness, type Harness } from "@/lib/testing/harness";

/** Real proofs, fetched as an auditor does, and checked without the server. */
const verifier = openMembershipVerifier();
let h: Harness;
let post: Bundle;
let comment: Bundle;
let named: string;
beforeAll(async () => {
  let clock = Date.UTC(2026, 10, 28, 12, 3);
  h = await createHarness({ now: () => new Date(clock), env: { ANONYMOUS_MINIMUM: "2" } });
  const owner = await signIn(h, "owner");
  const topicId = (await makeTopic(owner)).id;
  named = (await makePost(owner, topicId)).id;
  const setClock = (at: number) => {
    clock = at;
  };
  const [author] = await crowdOf(h, topicId, 2, setClock);
  await crowdOf(h, topicId, 1, setClock);
  if (!author) throw new Error("the crowd has nobody");
  const engine = testEngine();
  const prover = async (...given: Parameters<typeof circuitInputs>) => engine.prove(circuitInputs(...given));
  const { postId } = await author.writePost(0, { title: "Heard", tags: ["pay"] }, { prover });
  const { commentId } = await author.writeComment(postId, 1, "Quite.", null, { prover });
  await engine.close();
  const page = `http://localhost:3000/posts/${postId}`;
  post = await fetchBundle(page, h.fetch);
  comment = await fetchBundle(`${page}?comment=${commentId}`, h.fetch);
}, 120_000);
afterAll(async () => {
  await verifier.close();
  await h.close();
});

const faultIn = async (bundle: Bundle) => (await checkBundle(bundle, verifier)).fault;
const withAct = (bundle: Bundle, change: object): Bundle => {
  const { act } = bundle.evidence;
  if (!act) throw new Error("no words");
  return { ...bundle, evidence: { ...bundle.evidence, act: { ...act, ...change } } };
};
const withWord = (at: number, word: string): Bundle => {
  const publicInputs = post.evidence.publicInputs.with(at, word);
  return { ...post, evidence: { ...post.evidence, publicInputs } };
};

describe("evidence", () => {
  it("holds for a post and for a comment, saved and read again", async () => {
    for (const [bundle, kind] of [
      [post, "post"],
      [comment, "comment"],
    ] as const) {
      const checked = await checkBundle(readBundle(JSON.stringify(bundle)), verifier);
      expect(checked).toMatchObject({ fault: null, crowd: 3, act: { kind } });
    }
  });

  it("does not hold for a changed word, place, number, root or proof, and says what it is", async () => {
    const element = `0x${"0".repeat(63)}1`;
    const first = post.roots[0];
    if (!first) throw new Error("no roots");
    const roots = (change: object) => ({ ...post, roots: [{ ...first, ...change }, ...post.roots.slice(1)] });
    const changes: [string, Bundle, string][] = [
      ["title", withAct(post, { title: "Heard." }), "words"],
      ["content", withAct(post, { content: "<p>Said.</p>" }), "words"],
      ["tags", withAct(post, { tags: [] }), "words"],
      ["comment", withAct(comment, { content: "Quite!" }), "words"],
      ["parent", withAct(comment, { parentId: named }), "words"],
      ["thread", withAct(comment, { postId: named }), "thread"],
      ["topic", withAct(post, { topicId: named }), "list"],
      ["size of a root", roots({ size: 99 }), "list"],
      ["root", roots({ root: element }), "list"],
      ["a list with a gap", { ...post, roots: [first] }, "list"],
      ["an empty list", { ...post, roots: [] }, "root"],
      ["number of the root", { ...post, evidence: { ...post.evidence, root: 1 } }, "root"],
      ["root of the proof", withWord(0, element), "root"],
      ["topic of the proof", withWord(1, element), "topic"],
      ["limit", withWord(3, element), "terms"],
      ["week", withWord(6, element), "terms"],
      ["a ban", withWord(39, element), "proof"],
      ["slot nullifier", withWord(71, element), "proof"],
      ["beyond the modulus", withWord(71, `0x${"f".repeat(64)}`), "proof"],
      ["proof", { ...post, evidence: { ...post.evidence, proof: comment.evidence.proof } }, "proof"],
    ];
    for (const [what, bundle, fault] of changes) expect(await faultIn(bundle), what).toBe(fault);
  }, 60_000);

  it("is fetched for what was written anonymously only, and of a post's address", async () => {
    const of = (address: string) => fetchBundle(address, h.fetch);
    await expect(of(`http://localhost:3000/posts/${named}`)).rejects.toMatchObject({ code: "not_anonymous" });
    for (const wrong of ["http://localhost:3000/topics/x", "nothing", "http://localhost:3000/posts/1"]) {
      await expect(of(wrong)).rejects.toThrow("not the address of a post");
    }
  });
});

it("npm run verify: says what it found by its status, from a file", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "parley-verify-"));
  const file = path.join(folder, "evidence.json");
  const root = path.resolve(import.meta.dirname, "../..");
  const run = async (text: string) => {
    await writeFile(file, text);
    return await new Promise<{ status: unknown; said: string }>((resolve) => {
      const tsx = path.join(root, "node_modules/.bin/tsx");
      execFile(tsx, ["scripts/verify/main.ts", file], { cwd: root }, (error, out, err) =>
        resolve({ status: error?.code ?? 0, said: `${out}${err}`.trim() }),
      );
    });
  };
  try {
    expect(await run(JSON.stringify(comment))).toEqual({
      status: 0,
      said: "One of 3 wrote this comment, word for word. Nobody can tell from it which one.",
    });
    expect(await run(JSON.stringify(withAct(post, { title: "Other" })))).toEqual({
      status: 1,
      said: "the proof is about other words",
    });
    expect(await run("{}")).toMatchObject({ status: 2 });
  } finally {
    await rm(folder, { recursive: true });
  }
}, 60_000);
