import { createHash } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { guestPages } from "@/lib/server/guest-pages";
import { askRaw } from "@/lib/server/testing";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { png } from "@/lib/testing/images";
import { actorTag } from "../moderation/chain";
import { collectExport } from "../profile/export";
import { type Cast, createCast, refusalOf, signIn } from "../testing";
import { uploadsOf } from "../uploads/testing";
import { withRole } from "./testing";

/*
 * The takedown drill: one illegal picture in a post, in a chat and as the avatar of an account that is deleted, before or
 * after it was reported. After one act it is nowhere, and caches must give it up within a minute.
 */

const site = "http://localhost:3000";
let cast: Cast;
let h: Harness;
let operator: TestUser;
let use: ReturnType<typeof uploadsOf>;
/** Pages for guests, from memory while nothing changes; each contains what the API says of the post. */
let pages: http.Server;
let shownPost = "";
beforeAll(async () => {
  cast = await createCast();
  h = cast.h;
  use = uploadsOf(h);
  operator = await withRole(h, "operator");
  const cached = await guestPages({
    services: h.services,
    render: async () => ({
      status: 200,
      headers: { "content-type": "text/html; charset=utf-8" },
      body: Buffer.from(
        `<html><head></head><body>${JSON.stringify(await h.guest.call(contract.posts.get, { postId: shownPost }))}</body></html>`,
      ),
    }),
    maxAgeMs: 600_000,
  });
  pages = http.createServer((request, response) => {
    if (!cached(request, response)) response.end();
  });
  pages.listen(0, "127.0.0.1");
  await once(pages, "listening");
});
afterAll(async () => {
  pages.closeAllConnections();
  pages.close();
  await h.close();
});

async function get(path: string) {
  const response = await h.fetch(new URL(path, site));
  const maxAge = /max-age=(\d+)/.exec(response.headers.get("cache-control") ?? "")?.[1];
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, maxAge: Number(maxAge ?? 0), bytes, text: bytes.toString() };
}

let seeds = 100;
/** A member with the picture in a post, in a chat message, and as avatar. */
async function scene() {
  seeds += 1;
  const bytes = png(1, 1, seeds);
  const topicId = await cast.place();
  const author = await signIn(h, "culprit");
  await author.api.call(contract.topics.join, { topicId });
  const inPost = await use.upload(author, bytes);
  const inChat = await use.upload(author, bytes);
  const avatar = await use.upload(author, bytes, "avatar");
  const { post } = await author.api.call(contract.posts.create, {
    topicId,
    title: `Drill${seeds}`,
    content: `<p>Words.</p><img src="${inPost}" alt="">`,
  });
  await author.api.call(contract.chat.send, { topicId, message: `See ${inChat}` });
  await author.api.call(contract.profile.setImage, { imageUrl: avatar });
  shownPost = post.id;
  return { bytes, topicId, author, postId: post.id, urls: [inPost, inChat, avatar], title: post.title };
}
type Scene = Awaited<ReturnType<typeof scene>>;

/** Every address of a stored file with these bytes, of whatever account, by all rows and all files of the storage. */
async function copiesOf(bytes: Buffer) {
  const { storage } = h.services;
  const found: string[] = [];
  for await (const key of storage.keys()) {
    if (Buffer.from((await storage.read(key)) ?? []).equals(bytes)) found.push(key);
  }
  const rows = await h.db.selectFrom("uploads").select("key").execute();
  for (const { key } of rows) {
    if (Buffer.from((await storage.readWithheld(key)) ?? []).equals(bytes)) found.push(key);
  }
  return found;
}

/** What anyone can read that may show the picture, by place. */
async function seen({ topicId, postId, title, author }: Scene) {
  const { userId } = author;
  const page = await askRaw(pages, { path: `/posts/${postId}`, headers: {} });
  const { token } = cast.member;
  const asMember = async (path: string) => JSON.stringify((await h.send("GET", path, { token })).body);
  return {
    "page for guests": page.body.toString(),
    rss: (await get("/feed.xml")).text,
    atom: (await get(`/topics/${topicId}/atom.xml`)).text,
    feed: await asMember("/api/feed"),
    post: await asMember(`/api/posts/${postId}`),
    posts: await asMember(`/api/topics/${topicId}/posts`),
    search: await asMember(`/api/search?q=${title}`),
    members: await asMember(`/api/topics/${topicId}/members`),
    topic: await asMember(`/api/topics/${topicId}`),
    userId,
  };
}

/** Where an address is served, and where a page, list or document names one. */
async function shows(at: Scene, urls: readonly string[]) {
  const keys = urls.map((url) => h.services.storage.keyOf(url) ?? url);
  const served = [];
  for (const url of urls) if ((await get(url)).status === 200) served.push(url);
  const places = Object.entries(await seen(at))
    .filter(([, text]) => keys.some((key) => text.includes(key)))
    .map(([place]) => place);
  return { served, places };
}

async function reportOf(kind: "post" | "profile", targetId: string) {
  const { reports } = await operator.api.call(contract.desk.reports, { kind, limit: 100 });
  return reports.find((report) => report.targetId === targetId)?.id ?? expect.fail();
}

async function takeDown(reportId: string) {
  return await operator.api.call(contract.desk.decide, {
    reportId,
    action: "resolve",
    reason: "Illegal picture.",
    act: "take_files_down",
  });
}

async function addressesNow(bytes: Buffer) {
  return (await copiesOf(bytes)).map((key) => h.services.storage.publicUrl(key));
}

const addressHash = (url: string) => createHash("sha256").update(new URL(url).pathname).digest("hex");

async function assertGone(at: Scene, urls: readonly string[]) {
  expect(await copiesOf(at.bytes)).toEqual([]);
  expect(await shows(at, urls)).toEqual({ served: [], places: [] });
  for (const url of urls) expect((await get(url)).bytes.includes(at.bytes)).toBe(false);
  // Browsers that keep it for reading offline are told to forget it (lib/worker/pictures.ts), and caches keep the list shortly.
  const { addresses } = await h.guest.call(contract.uploads.removed, {});
  expect(addresses).toEqual(expect.arrayContaining(urls.map(addressHash)));
  expect((await get("/api/upload/removed")).maxAge).toBe(20);
}

describe("the takedown drill", () => {
  it("shows the picture everywhere before, where caches may keep it for a minute at most", async () => {
    const at = await scene();
    const { served, places } = await shows(at, at.urls);
    expect(served).toEqual(at.urls);
    expect(places).toEqual(expect.arrayContaining(["page for guests", "post", "posts", "members"]));
    for (const path of [...at.urls, "/feed.xml", "/atom.xml", `/topics/${at.topicId}/feed.xml`]) {
      const { status, maxAge } = await get(path);
      expect({ status, isShort: maxAge > 0 && maxAge <= 60 }, path).toEqual({ status: 200, isShort: true });
    }
    for (const path of [`/cards/posts/${at.postId}`, `/cards/topics/${at.topicId}`]) {
      expect((await get(path)).maxAge).toBe(60);
    }
  });

  it.each(["before", "after"] as const)(
    "of an account that was deleted %s the report: one act, and it is nowhere",
    async (when) => {
      const at = await scene();
      const report = () =>
        cast.member.api.call(contract.moderation.reportPost, { postId: at.postId, reason: "illegal" });
      if (when === "after") await report();
      await at.author.api.call(contract.profile.deleteAccount, {});
      await h.idle();
      if (when === "before") await report();
      const moved = await addressesNow(at.bytes);
      // In the post and in the chat, at addresses without the old id; the avatar went with the account.
      expect(moved).toHaveLength(2);
      expect(moved.some((url) => url.includes(at.author.userId))).toBe(false);
      expect((await shows(at, moved)).places).toContain("page for guests");

      expect(await takeDown(await reportOf("post", at.postId))).toMatchObject({ acted: true });
      await assertGone(at, [...at.urls, ...moved]);
      // Nor can it come back.
      const form = use.form(cast.outsider, new File([new Uint8Array(at.bytes)], "a.png"));
      expect(await form).toMatchObject({ status: 403, code: "upload_blocked" });
    },
  );

  it("by the report of an avatar whose account was deleted since", async () => {
    const at = await scene();
    const { userId } = at.author;
    await cast.member.api.call(contract.moderation.reportProfile, { userId, reason: "illegal" });
    const reportId = await reportOf("profile", userId);
    await at.author.api.call(contract.profile.deleteAccount, {});
    await h.idle();
    const moved = await addressesNow(at.bytes);
    expect(moved).toHaveLength(2);
    expect(await takeDown(reportId)).toMatchObject({ decided: 1, acted: true });
    await assertGone(at, [...at.urls, ...moved]);
  });

  it("is in no export: neither its owner's nor another's", async () => {
    const at = await scene();
    await cast.member.api.call(contract.moderation.reportPost, { postId: at.postId, reason: "illegal" });
    const exportOf = async () => {
      const ctx = await h.memberContext(at.author.token);
      const { entries } = await collectExport(ctx);
      let found = 0;
      for await (const { content } of entries) {
        if (typeof content !== "string" && Buffer.from(content).equals(at.bytes)) found += 1;
      }
      return found;
    };
    expect(await exportOf()).toBe(3);
    await takeDown(await reportOf("post", at.postId));
    expect(await exportOf()).toBe(0);
  });

  it("the public log says what, why, when and by which role, and operators can show who", async () => {
    const at = await scene();
    await cast.member.api.call(contract.moderation.reportPost, { postId: at.postId, reason: "illegal" });
    await takeDown(await reportOf("post", at.postId));
    const { entries } = await h.guest.call(contract.desk.log, { limit: 2 });
    const entry = entries.find(({ action }) => action === "files_taken_down");
    expect(entry).toMatchObject({
      role: "operator",
      reason: "Illegal picture.",
      targetKind: "post",
      targetId: at.postId,
      details: { files: "1", uploads: "3" },
    });
    expect(JSON.stringify(entries)).not.toContain(operator.userId);
    const { actor_nonce } = await h.db
      .selectFrom("installation_log")
      .select("actor_nonce")
      .where("seq", "=", entry?.seq ?? 0)
      .executeTakeFirstOrThrow();
    expect(actorTag(actor_nonce, operator.userId)).toBe(entry?.actor);
  });

  it("hides what a reviewer cannot take down from nobody", async () => {
    const at = await scene();
    await cast.member.api.call(contract.moderation.reportPost, { postId: at.postId, reason: "illegal" });
    const reviewer = await withRole(h, "reviewer");
    const act = reviewer.api.call(contract.desk.decide, {
      reportId: await reportOf("post", at.postId),
      action: "resolve",
      reason: "r",
      act: "take_files_down",
    });
    expect(await refusalOf(act)).toMatchObject({ code: "operator_required" });
    expect((await shows(at, at.urls)).served).toEqual(at.urls);
  });
});
