import "fake-indexeddb/auto";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { crowdOf, standInMemberships } from "@/lib/community/anonymous/testing";
import { publishRoots } from "@/lib/community/crowd/publish";
import { addTo, makePost, makeTopic, signIn } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { png } from "@/lib/testing/images";
import { enrol, readStanding } from "./crowd";
import { DELAY_MS, discardAct, hurryAct, queueAct, rearm, type SendingParts, waitingActs } from "./entries";
import { sendDue } from "./outbox";
import { newInThreads, pseudonymHere, rememberThread } from "./own";
import { restoreSecret, showPhrase } from "./phrase";
import { ensureSecret, forgetSecret } from "./secret";
import { read, type WaitingAct, type WaitingPicture, write } from "./store";
import { partsOf, stubBrowser } from "./testing";

const START = Date.UTC(2026, 10, 28, 12, 3);
let clock = START;
let h: Harness;
let owner: TestUser;
let author: TestUser;
let topicId: string;
let postId: string;
let parts: SendingParts;

const setClock = (at: number) => {
  clock = at;
};
const post = (title = "Heard", pictures: WaitingPicture[] = []): WaitingAct => ({
  ...{ kind: "post", topicId, postId: randomUUID(), title },
  ...{ content: "<p>Said under the rose.</p>", tags: [], pictures },
});
const comment = (content: string): WaitingAct => ({
  kind: "comment",
  topicId,
  postId,
  parentId: null,
  content,
});
const titles = async () =>
  (await h.guest.call(contract.posts.list, { topicId, sort: "new" })).posts
    .filter(({ anonymous }) => anonymous)
    .map(({ title }) => title);
const comments = async () =>
  (await h.guest.call(contract.comments.list, { postId })).comments.map(({ content }) => content);

beforeAll(async () => {
  h = await createHarness({
    now: () => new Date(clock),
    env: { ANONYMOUS_MINIMUM: "2" },
    memberships: standInMemberships,
  });
});
afterAll(() => h.close());

beforeEach(async () => {
  stubBrowser();
  // A day of its own for each test: slots are counted by day.
  clock += 24 * 60 * 60 * 1000;
  owner = await signIn(h, "owner");
  author = await signIn(h, "author");
  topicId = (await makeTopic(owner)).id;
  postId = (await makePost(owner, topicId)).id;
  await addTo(h.db, topicId, author);
  parts = partsOf(h, author);
  await enrol(parts.signed, author.userId, topicId);
  await crowdOf(h, topicId, 2, setClock);
  expect(await readStanding(parts.signed, author.userId, topicId)).toMatchObject({ own: "counted" });
});

const queue = (act: WaitingAct, isNow = false) => queueAct(author.userId, act, isNow, parts);
const send = () => sendDue(author.userId, parts);
const waiting = () => waitingActs(author.userId);

describe("the anonymous outbox", () => {
  it("sends at a random moment, once, and remembers whose it is here alone", async () => {
    const { act } = await queue(post());
    expect(await send()).toBe(clock + DELAY_MS / 2);
    expect(await titles()).toEqual([]);
    clock += DELAY_MS / 2;
    expect(await send()).toBeNull();
    expect(await titles()).toEqual(["Heard"]);
    expect(await waiting()).toEqual([]);
    expect(await read("threads", author.userId, act.postId)).toMatchObject({ seen: 0 });
    expect(await read("threads", owner.userId, act.postId)).toBeNull();
  });

  it("deletes what was said from here, at its moment, and knows it by its pseudonym", async () => {
    const { act } = await queue(post(), true);
    await queue(comment("A slip."), true);
    await send();
    const here = { topicId, postId: act.postId };
    const { post: said } = await owner.api.call(contract.posts.get, { postId: act.postId });
    expect(await pseudonymHere(author.userId, here)).toBe(said.anonymous?.pseudonym);
    expect(await pseudonymHere(owner.userId, here)).toBeNull();
    const slip = (await owner.api.call(contract.posts.get, { postId })).comments[0]?.id ?? null;
    await queue({ kind: "deletion", topicId, postId, commentId: slip, text: "A slip." });
    expect(await send()).toBe(clock + DELAY_MS / 2);
    expect(await comments()).toEqual(["A slip."]);
    clock += DELAY_MS / 2;
    expect(await send()).toBeNull();
    expect(await comments()).toEqual([""]);
    await queue({ kind: "deletion", ...here, commentId: null, text: "Heard" }, true);
    await send();
    expect(await titles()).toEqual([]);
    expect(await waiting()).toEqual([]);
    // What is gone by then needs none.
    await owner.api.call(contract.posts.delete, { postId });
    await queue({ kind: "deletion", topicId, postId, commentId: randomUUID(), text: "?" }, true);
    await send();
    expect(await waiting()).toEqual([]);
  });

  it("uploads the pictures of a post once, each in a slot of its own, and shows them below the text", async () => {
    const picture = (seed: number, alt: string) => ({
      ...{ bytes: new Uint8Array(png(1, 1, seed)), type: "image/png", alt, src: null },
    });
    const pictures = [picture(1, 'A "plan" & <more>'), picture(2, "")];
    await queue(post("Pictured", pictures), true);
    // The answer to the post is lost: what was uploaded is not uploaded again.
    const { nobody } = parts;
    let sent = 0;
    let losing = true;
    const call: typeof nobody.call = async (op, ...rest) => {
      if (op.id === "anonymous.picture") sent++;
      // Before the second is there, the terms are too old.
      if (op.id === "anonymous.picture" && sent === 2) clock += 3 * 60_000;
      const answer = await nobody.call(op, ...rest);
      if (op.id === "anonymous.post" && losing) {
        losing = false;
        throw new TypeError("Failed to fetch");
      }
      return answer;
    };
    const lossy = { ...parts, nobody: { call } };
    for (let i = 0; i < 3; i++) {
      await sendDue(author.userId, lossy);
      expect(await waiting()).toHaveLength(i < 2 ? 1 : 0);
      clock += 60_000;
    }
    expect(sent).toBe(3);
    const [listed] = (await owner.api.call(contract.posts.list, { topicId })).posts;
    const { post: said } = await owner.api.call(contract.posts.get, { postId: listed?.id ?? "" });
    const image = /<p><img src="\/uploads\/[^"]+" alt="([^"]*)" \/><\/p>/g;
    expect([...said.content.matchAll(image)].map(([, alt]) => alt)).toEqual([
      "A &quot;plan&quot; &amp; &lt;more&gt;",
      "",
    ]);
    await write("slots", 20, author.userId, topicId, "pictures", String(Math.floor(clock / 86_400_000)));
    await queue(post("More", pictures), true);
    await send();
    expect(await waiting()).toMatchObject([{ state: "refused", code: "no_picture_slots" }]);
  });

  it("notices comments where something was said from here, from what is listed anyway", async () => {
    const { act } = await queue(post(), true);
    await send();
    const listed = async () => (await owner.api.call(contract.posts.list, { topicId })).posts;
    expect(await newInThreads(author.userId, await listed())).toEqual([]);
    await owner.api.call(contract.comments.create, { postId: act.postId, content: "Really?" });
    await owner.api.call(contract.comments.create, { postId, content: "Elsewhere." });
    expect(await newInThreads(author.userId, await listed())).toEqual([{ id: act.postId, count: 1 }]);
    expect(await newInThreads(owner.userId, await listed())).toEqual([]);
    await rememberThread(author.userId, { topicId, postId: act.postId, seen: 1 });
    expect(await newInThreads(author.userId, await listed())).toEqual([]);
  });

  it("sends at once what does not wait, with a slot for each", async () => {
    await queue(post("One"), true);
    await queue(comment("Two"), true);
    expect(await send()).toBeNull();
    expect([await titles(), await comments()]).toEqual([["One"], ["Two"]]);
  });

  it("says once what was sent again after a lost answer, also the day after", async () => {
    const nobody = parts.nobody;
    let losing = true;
    const call: typeof nobody.call = async (op, ...rest) => {
      const answer = await nobody.call(op, ...rest);
      if (losing && op.method === "POST") {
        losing = false;
        throw new TypeError("Failed to fetch");
      }
      return answer;
    };
    const lossy = { ...parts, nobody: { call } };
    await queue(comment("Once"), true);
    await sendDue(author.userId, lossy);
    expect(await waiting()).toMatchObject([{ state: "waiting", tried: { slot: 0 } }]);
    // What is written meanwhile takes the next slot.
    await queue(comment("Between"), true);
    await send();
    clock += 60_000;
    expect(await send()).toBeNull();
    expect((await comments()).toSorted()).toEqual(["Between", "Once"]);

    losing = true;
    await queue(post("Late"), true);
    await sendDue(author.userId, lossy);
    losing = true;
    await queue(comment("Unsure"), true);
    await sendDue(author.userId, lossy);
    clock += 24 * 60 * 60 * 1000;
    await send();
    expect(await titles()).toEqual(["Late"]);
    expect(await waiting()).toMatchObject([{ act: { content: "Unsure" }, code: "unsure" }]);
    expect((await comments()).toSorted()).toEqual(["Between", "Once", "Unsure"]);
  });

  it("takes the slots that another device left, and says when there is none", async () => {
    const phrase = (await showPhrase(author.userId))?.join(" ") ?? "";
    for (let i = 0; i < LIMITS.anonymous.perDay - 1; i++) await queue(comment(`First ${i}`), true);
    await send();
    await forgetSecret(author.userId);
    await restoreSecret(author.userId, phrase);
    expect(await readStanding(parts.signed, author.userId, topicId)).toMatchObject({ own: "counted" });
    await queue(comment("Tenth"), true);
    await send();
    expect((await comments()).length).toBe(LIMITS.anonymous.perDay);
    const { act } = await queue(comment("Eleventh"), true);
    await send();
    expect(await waiting()).toMatchObject([{ act, state: "refused", code: "no_slots" }]);
    // A new day has new ones.
    clock += 24 * 60 * 60 * 1000;
    const [refused] = await waiting();
    if (!refused) throw new Error("nothing waits");
    await hurryAct(refused, parts);
    expect(await send()).toBeNull();
    expect(await comments()).toContain("Eleventh");
  });

  it("waits for another moment when it had to fetch the leaves of a newer root", async () => {
    await queue(post());
    for (let round = 0; round < 3; round++) await crowdOf(h, topicId, 1, setClock);
    const due = await send();
    expect(due).toBe(clock + DELAY_MS / 2);
    expect(await titles()).toEqual([]);
    clock = due ?? 0;
    await send();
    expect(await titles()).toEqual(["Heard"]);
  });

  it("keeps a text that is refused, with the reason, and sends the rest", async () => {
    const gone = { ...comment("Gone"), postId: randomUUID() };
    await queue(gone, true);
    await queue(comment("Here"), true);
    await send();
    expect(await waiting()).toMatchObject([{ act: gone, state: "refused", code: "post_not_found" }]);
    expect(await comments()).toEqual(["Here"]);
    const [refused] = await waiting();
    if (refused) await discardAct(refused);
    expect(await waiting()).toEqual([]);
  });

  it("says to a banned author what it is, and proves nothing", async () => {
    const { act } = await queue(comment("Rude"), true);
    await send();
    const { comments: list } = await h.guest.call(contract.comments.list, { postId: act.postId });
    const commentId = list[0]?.id;
    await owner.api.call(contract.anonymous.ban, { postId, commentId, weeks: 1, reason: "Rude." });
    clock += 1;
    await queue(comment("Again"), true);
    await send();
    expect(await waiting()).toMatchObject([{ state: "refused", code: "anonymous_banned" }]);
  });

  it("tells who left the crowd, and who was never in it", async () => {
    await author.api.call(contract.crowd.withdraw, { topicId });
    clock += DELAY_MS;
    await publishRoots(h.services);
    clock += 2 * DELAY_MS;
    await queue(comment("Gone"), true);
    await send();
    expect(await waiting()).toMatchObject([{ code: "not_counted" }]);
    expect(await readStanding(parts.signed, author.userId, topicId)).toMatchObject({ own: "none" });
  });

  it("gives what is late another moment, instead of that at which the page was opened", async () => {
    await queue(post());
    await queue(post("Now"), true);
    clock += 60 * 60 * 1000;
    await rearm(author.userId, parts);
    expect(await send()).toBe(clock + DELAY_MS / 2);
    expect(await titles()).toEqual(["Now"]);
  });

  it("casts ballots, the last of which counts, also from two devices, and knows its own", async () => {
    const created = await owner.api.call(contract.posts.create, {
      ...{ topicId, title: "The plan?", content: "<p>Vote.</p>" },
      poll: { options: ["Yes", "No"], isSecret: true },
    });
    const { poll } = created.post;
    if (!poll?.secret) throw new Error("no poll");
    const [yes, no] = poll.options.map(({ id }) => id);
    const ballot = (optionId = "", choice = ""): WaitingAct => ({
      ...{ kind: "ballot", topicId, postId: poll.postId, pollId: poll.id, root: poll.secret?.root ?? 0 },
      ...{ optionIds: [optionId], choice },
    });
    const counts = async () => {
      const { post: now } = await h.guest.call(contract.posts.get, { postId: poll.postId });
      return now.poll?.options.map(({ voteCount }) => voteCount);
    };
    // One that still waits is replaced; the crowd has to be fetched, so it waits for another moment.
    await queue(ballot(yes, "Yes"));
    await queue(ballot(no, "No"));
    expect(await waiting()).toMatchObject([{ act: { choice: "No" } }]);
    clock += DELAY_MS / 2;
    const due = (await send()) ?? 0;
    expect([due - clock, await counts()]).toEqual([DELAY_MS / 2, [0, 0]]);
    clock = due;
    expect(await send()).toBeNull();
    expect(await counts()).toEqual([0, 1]);
    expect(await read("ballots", author.userId, poll.id)).toMatchObject({ choice: "No", counter: 0 });
    await queue(ballot(yes, "Yes"), true);
    await send();
    expect(await counts()).toEqual([1, 0]);

    const phrase = (await showPhrase(author.userId))?.join(" ") ?? "";
    await forgetSecret(author.userId);
    await restoreSecret(author.userId, phrase);
    await queue(ballot(no, "No"), true);
    await send();
    expect(await counts()).toEqual([0, 1]);
    expect(await read("ballots", author.userId, poll.id)).toMatchObject({ choice: "No", counter: 3 });

    // Whoever came later cannot vote.
    await forgetSecret(author.userId);
    await ensureSecret(author.userId);
    await queue(ballot(yes, "Yes"), true);
    await send();
    expect(await waiting()).toMatchObject([{ state: "refused", code: "not_in_electorate" }]);
  });

  it("tries again later without a server", async () => {
    const nobody = { call: vi.fn().mockRejectedValue(new TypeError("Failed to fetch")) };
    await queue(post(), true);
    expect(await sendDue(author.userId, { ...parts, nobody })).toBe(clock + 30_000);
    expect(await waiting()).toMatchObject([{ state: "waiting", tried: null }]);
  });
});
