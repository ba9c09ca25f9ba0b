import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { contract } from "@/lib/contract";
import { sweepExpired } from "@/lib/runtime/housekeeping";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { dataUri, png } from "@/lib/testing/images";
import { type Cast, clientWith, createCast, makePost, refusalOf, signIn } from "../testing";
import { sweepTakenDown } from "../uploads/store";
import { uploadsOf } from "../uploads/testing";
import { actsSince, ageProof, lastEntry, latestOf, withRole } from "./testing";

/** Taking images down everywhere by their bytes, and keeping them away. */
let cast: Cast;
let h: Harness;
let use: ReturnType<typeof uploadsOf>;
let operator: TestUser;
beforeAll(async () => {
  cast = await createCast();
  h = cast.h;
  use = uploadsOf(h);
  operator = await withRole(h, "operator");
});
afterAll(() => h.close());

let seeds = 0;
/** An image that no other test has. */
function picture() {
  seeds += 1;
  const bytes = png(1 + (seeds >> 8), 1, seeds);
  return { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
}
const img = (src: string) => `<p>See.</p><img src="${src}" alt="">`;
type What = { readonly reportId?: string; readonly url?: string; readonly sha256?: string };
const takeDown = (user: TestUser, what: What) =>
  user.api.call(contract.desk.takeFilesDown, { ...what, reason: "Illegal." });
const statuses = (urls: readonly string[]) => Promise.all(urls.map((url) => use.status(url)));

/** One image of two users: in a post, a chat message, as a topic's picture and as an avatar. */
async function spread() {
  const { bytes, sha256 } = picture();
  const topicId = await cast.place();
  const author = await signIn(h);
  await author.api.call(contract.topics.join, { topicId });
  const [inText, inMedia, inChat] = [
    await use.upload(author, bytes),
    await use.upload(author, bytes),
    await use.upload(author, bytes),
  ];
  const avatar = await use.upload(author, bytes, "avatar");
  const ofTopic = await use.upload(cast.owner, bytes);
  const across = await use.upload(cast.owner, bytes);
  await author.api.call(contract.profile.setImage, { imageUrl: avatar });
  await cast.owner.api.call(contract.topics.update, { topicId, image: ofTopic, banner: across });
  const { post } = await author.api.call(contract.posts.create, {
    topicId,
    title: "Pictures",
    content: img(inText),
    media: { images: [inMedia] },
  });
  await author.api.call(contract.chat.send, { topicId, message: `See ${inChat}` });
  return {
    bytes,
    sha256,
    topicId,
    author,
    postId: post.id,
    urls: [inText, inMedia, inChat, avatar, ofTopic, across],
    inText,
  };
}

describe("taking down", () => {
  it("is finished by housekeeping where the storage failed or the process died after the commit", async () => {
    const at = await spread();
    const since = await lastEntry(h);
    const { storage } = h.services;
    const [first = "", ...rest] = at.urls.map((url) => storage.keyOf(url) ?? "");
    const remove = vi.spyOn(storage, "remove").mockImplementationOnce(async () => {
      throw new Error("the process died");
    });
    expect(await refusalOf(takeDown(operator, { url: at.inText }))).toMatchObject({ status: 500 });
    remove.mockRestore();
    expect(await storage.read(first)).not.toBeNull();
    const left = await use.upload(at.author, picture().bytes);
    await sweepTakenDown(h.services);
    for (const key of [first, ...rest]) expect(await storage.read(key)).toBeNull();
    expect(await statuses(at.urls)).toEqual(at.urls.map(() => 404));
    expect(await use.status(left)).toBe(200);
    // The act is there once, also when the operator tries again.
    await takeDown(operator, { sha256: at.sha256 });
    expect((await actsSince(h, since)).map(({ action }) => action)).toEqual(["files_taken_down"]);
  });

  it("ends every copy, whoever uploaded it, and everything that shows one; the log and owners learn why", async () => {
    const at = await spread();
    const other = await use.upload(at.author, picture().bytes);
    expect(await statuses(at.urls)).toEqual(at.urls.map(() => 200));
    const since = await lastEntry(h);
    expect(await takeDown(operator, { url: at.inText })).toEqual({ success: true, files: 1, uploads: 6 });
    expect(await statuses(at.urls)).toEqual(at.urls.map(() => 404));
    expect(await use.status(other)).toBe(200);
    for (const url of at.urls) {
      const key = h.services.storage.keyOf(url) ?? "";
      expect(await h.services.storage.read(key)).toBeNull();
      expect(await h.services.storage.readWithheld(key)).toBeNull();
    }
    const { post } = await cast.member.api.call(contract.posts.get, { postId: at.postId });
    expect(post).toMatchObject({
      content: "<p>See.</p>",
      media: { images: [] },
      authorProfileImage: null,
    });
    const { topic } = await cast.member.api.call(contract.topics.get, { topicId: at.topicId });
    expect([topic.image, topic.banner]).toEqual([null, null]);
    const [entry, ...rest] = await actsSince(h, since);
    expect(rest).toEqual([]);
    expect(entry).toMatchObject({
      action: "files_taken_down",
      role: "operator",
      actor_id: operator.userId,
      target_kind: "file",
      reason: "Illegal.",
      details: { files: "1", uploads: "6" },
    });
    // Neither the log nor anything else public names the image's bytes or addresses.
    expect(JSON.stringify(entry)).not.toContain(at.sha256);
    for (const [user, files] of [
      [at.author, "4"],
      [cast.owner, "2"],
    ] as const) {
      expect(await latestOf(user)).toMatchObject({
        kind: "files_taken_down",
        reason: "Illegal.",
        actor: null,
        details: { files },
      });
    }
    // Once more changes and logs nothing.
    const later = await lastEntry(h);
    expect(await takeDown(operator, { sha256: at.sha256 })).toEqual({ success: true, files: 0, uploads: 0 });
    expect(await actsSince(h, later)).toEqual([]);
  });

  it("by a report: of the image as it was reported, also once its post is gone", async () => {
    const at = await spread();
    await cast.member.api.call(contract.moderation.reportPost, { postId: at.postId, reason: "illegal" });
    await at.author.api.call(contract.posts.delete, { postId: at.postId });
    expect(await statuses(at.urls)).toEqual([404, 404, 200, 200, 200, 200]);
    const { reports } = await operator.api.call(contract.desk.reports, { topicId: at.topicId });
    const since = await lastEntry(h);
    const reportId = reports[0]?.id ?? "";
    expect(await takeDown(operator, { reportId })).toEqual({ success: true, files: 1, uploads: 4 });
    expect(await statuses(at.urls)).toEqual(at.urls.map(() => 404));
    expect(await actsSince(h, since)).toMatchObject([
      { target_kind: "post", target_id: at.postId, topic_id: at.topicId },
    ]);
  });

  it("with a decision, in one request", async () => {
    const at = await spread();
    await cast.member.api.call(contract.moderation.reportPost, { postId: at.postId, reason: "illegal" });
    const { reports } = await operator.api.call(contract.desk.reports, { topicId: at.topicId });
    const since = await lastEntry(h);
    const answer = await operator.api.call(contract.desk.decide, {
      reportId: reports[0]?.id ?? "",
      action: "resolve",
      reason: "Illegal.",
      act: "take_files_down",
    });
    expect(answer).toEqual({ success: true, decided: 1, acted: true });
    expect(await statuses(at.urls)).toEqual(at.urls.map(() => 404));
    expect((await actsSince(h, since)).map(({ action }) => action)).toEqual([
      "files_taken_down",
      "report_resolved",
    ]);
  });

  it("keeps the text of posts that were recorded on-chain, without the picture", async () => {
    const at = await spread();
    await h.db.updateTable("posts").set({ record_count: 1 }).where("id", "=", at.postId).execute();
    await takeDown(operator, { sha256: at.sha256 });
    const { post } = await cast.member.api.call(contract.posts.get, { postId: at.postId });
    expect(post.content).toContain("<img");
    expect(await statuses(at.urls)).toEqual(at.urls.map(() => 404));
  });

  it("is finished later if storage failed", async () => {
    const at = await spread();
    const failing = { ...h.services.storage, remove: () => Promise.reject(new Error("disk")) };
    const call = clientWith(h, operator, { storage: failing }).call(contract.desk.takeFilesDown, {
      sha256: at.sha256,
      reason: "r",
    });
    await expect(call).rejects.toThrow();
    await sweepExpired({ ...h.services, now: () => new Date(Date.now() + 2 * 60 * 60 * 1000) });
    expect(await statuses(at.urls)).toEqual(at.urls.map(() => 404));
  });

  it("is for operators with a fresh proof, and names one existing image", async () => {
    const { bytes, sha256 } = picture();
    const url = await use.upload(cast.member, bytes);
    for (const user of [await withRole(h, "reviewer"), cast.owner]) {
      expect(await refusalOf(takeDown(user, { url }))).toMatchObject({ code: "operator_required" });
    }
    expect(await refusalOf(takeDown(await ageProof(h, operator), { url }))).toMatchObject({
      code: "fresh_proof_required",
    });
    expect(await refusalOf(takeDown(operator, { url: `${url}x` }))).toMatchObject({
      code: "upload_not_found",
    });
    expect(await refusalOf(takeDown(operator, { reportId: randomUUID() }))).toMatchObject({
      code: "report_not_found",
    });
    for (const what of [{}, { url, sha256 }]) {
      expect(await refusalOf(takeDown(operator, what))).toMatchObject({ status: 400, field: "reportId" });
    }
    expect(await use.status(url)).toBe(200);
  });
});

describe("an image that was taken down", () => {
  it("cannot be uploaded again in any way, by anyone, until an operator allows it", async () => {
    const { bytes, sha256 } = picture();
    const signed = await use.announce(cast.member, { size: bytes.length });
    await takeDown(operator, { sha256 });
    const refused = { status: 403, code: "upload_blocked" };
    const file = () => new File([new Uint8Array(bytes)], "a.png");
    expect(await use.form(cast.member, file())).toMatchObject(refused);
    expect(await use.form(cast.outsider, file(), "avatar")).toMatchObject(refused);
    expect(await use.put(signed.uploadUrl, bytes)).toEqual(refused);
    const topicId = await cast.place();
    const carried = makePost(cast.member, topicId, "T", img(dataUri(bytes)));
    expect(await refusalOf(carried)).toMatchObject({ ...refused, field: "content" });
    const rows = await h.db.selectFrom("uploads").select("key").where("sha256", "=", sha256).execute();
    expect(rows).toEqual([]);

    const { files } = await operator.api.call(contract.desk.blockedFiles, { limit: 1 });
    expect(files).toMatchObject([{ sha256, reason: "Illegal." }]);
    const fileId = files[0]?.id ?? "";
    const since = await lastEntry(h);
    await operator.api.call(contract.desk.unblockFile, { fileId, reason: "A mistake." });
    expect(await actsSince(h, since)).toMatchObject([
      { action: "file_unblocked", target_kind: "file", target_id: fileId, reason: "A mistake." },
    ]);
    expect(await use.form(cast.member, file())).toMatchObject({ status: 201 });
    const again = operator.api.call(contract.desk.unblockFile, { fileId, reason: "r" });
    expect(await refusalOf(again)).toMatchObject({ status: 404, code: "upload_not_found" });
  });

  it("pages through the list", async () => {
    for (let i = 0; i < 3; i += 1) await takeDown(operator, { sha256: picture().sha256 });
    const all = (await operator.api.call(contract.desk.blockedFiles, { limit: 100 })).files;
    const paged = [];
    for (let cursor: string | undefined, first = true; first || cursor; first = false) {
      const page = await operator.api.call(contract.desk.blockedFiles, { limit: 2, cursor });
      paged.push(...page.files);
      cursor = page.nextCursor ?? undefined;
    }
    expect(paged).toEqual(all);
    const reviewer = await withRole(h, "reviewer");
    expect(await refusalOf(reviewer.api.call(contract.desk.blockedFiles, {}))).toMatchObject({
      code: "operator_required",
    });
  });
});

describe("files of earlier releases", () => {
  it("get their digest from housekeeping, or when they are reported or named", async () => {
    const at = await spread();
    const forget = () =>
      h.db.updateTable("uploads").set({ sha256: null }).where("user_id", "=", at.author.userId).execute();
    await forget();
    await sweepExpired(h.services);
    const digests = async () =>
      (
        await h.db
          .selectFrom("uploads")
          .select("sha256")
          .distinct()
          .where("user_id", "=", at.author.userId)
          .execute()
      ).map((row) => row.sha256);
    expect(await digests()).toEqual([at.sha256]);
    await h.db
      .updateTable("uploads")
      .set({ sha256: null })
      .where("key", "=", h.services.storage.keyOf(at.inText))
      .execute();
    expect(await takeDown(operator, { url: at.inText })).toMatchObject({ uploads: 6 });
  });
});
