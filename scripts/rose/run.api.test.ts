import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { crowdOf } from "@/lib/community/anonymous/testing";
import { publishRoots } from "@/lib/community/crowd/publish";
import { addTo, makeTopic, signIn } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { runRose } from "./run";

/** The command line, with real proofs, in a topic that only its members read. */
let clock = Date.now();
let h: Harness;
let owner: TestUser;
let topicId: string;
let folder: string;
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock), env: { ANONYMOUS_MINIMUM: "2" } });
  owner = await signIn(h, "owner");
  topicId = (await makeTopic(owner, "private")).id;
  await crowdOf(h, topicId, 1, (at) => {
    clock = at;
  });
  folder = await mkdtemp(path.join(os.tmpdir(), "parley-rose-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await h.close();
});

async function rose(args: readonly string[], input = "") {
  const [lines, complaints]: [string[], string[]] = [[], []];
  const status = await runRose(args, {
    input: async () => input,
    print: (line) => void lines.push(line),
    complain: (line) => void complaints.push(line),
    fetch: h.fetch,
  });
  return { status, said: lines.join("\n"), wrong: complaints.join("\n") };
}

it("makes words, enrolls, posts, comments, votes and deletes", async () => {
  const user = await signIn(h, "agent");
  await addTo(h.db, topicId, user);
  const [words, token] = [path.join(folder, "words"), path.join(folder, "token")];
  const made = await rose(["words"]);
  expect(made.said.split(" ")).toHaveLength(24);
  await writeFile(words, `${made.said}\n`);
  await writeFile(token, user.token);
  const who = ["--words", words, "--token", token];
  expect(await rose(["enroll", "--topic", topicId, ...who])).toMatchObject({ status: 0, wrong: "" });
  clock += 10 * 60_000;
  await publishRoots(h.services);

  const posted = await rose(["post", "--topic", topicId, "--title", "Heard", ...who], "<p>Late.</p>\n");
  expect(posted.said).toMatch(/^[0-9a-f-]{36}, by [a-z]+ [a-z]+, one of 2$/);
  const postId = posted.said.slice(0, 36);
  // It takes the next slot by itself.
  const commented = await rose(["comment", "--post", postId, ...who], "By a month.");
  const { post, comments } = await owner.api.call(contract.posts.get, { postId });
  expect(post).toMatchObject({ title: "Heard", content: "<p>Late.</p>", authorId: "anonymous" });
  expect(comments).toMatchObject([{ id: commented.said.slice(0, 36), content: "By a month." }]);

  const { post: asked } = await owner.api.call(contract.posts.create, {
    ...{ topicId, title: "Ship?", content: "<p>Vote.</p>", poll: { options: ["Yes", "No"], isSecret: true } },
  });
  const vote = (option: string) => rose(["vote", "--post", asked.id, "--option", option, ...who]);
  expect((await vote("2")).said).toBe("0  Yes\n1  No");
  expect((await vote("1")).said).toBe("1  Yes\n0  No");
  expect(await vote("3")).toMatchObject({ status: 1, wrong: "the poll has no such option" });

  expect(await rose(["delete", "--post", postId, ...who])).toMatchObject({ status: 0, said: "Deleted." });
  expect((await owner.api.call(contract.posts.get, { postId })).post.isDeleted).toBe(true);
}, 120_000);

it("says what is wrong with its use, and what the API refuses", async () => {
  const words = path.join(folder, "wrong");
  await writeFile(words, "abandon ".repeat(24));
  for (const args of [[], ["shout"], ["post"], ["post", "--nothing"], ["words", "more"]])
    expect(await rose(args)).toMatchObject({
      status: 2,
      wrong: expect.stringContaining("usage: npm run rose"),
    });
  expect(await rose(["enroll", "--topic", topicId, "--words", words])).toMatchObject({
    ...{ status: 2, wrong: `${words}: these are not 24 words of a secret` },
  });
  expect(await rose(["enroll", "--topic", topicId, "--words", "/nowhere"])).toMatchObject({ status: 1 });
  await writeFile(words, (await rose(["words"])).said);
  const nobody = await rose(["enroll", "--topic", topicId, "--words", words]);
  expect(nobody).toMatchObject({ status: 1, said: "" });
  expect(nobody.wrong).not.toBe("");
});
