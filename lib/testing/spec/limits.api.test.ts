import { afterAll, beforeAll, describe, expect } from "vitest";
import { z } from "zod";
import { withServices } from "@/lib/runtime/services";
import { dispatch } from "../routes";
import { limitRows } from "./rows";
import * as shapes from "./shapes";
import { startSite, type TestSite } from "./site";
import { rowSuite } from "./suite";
import { createWorld, type World } from "./world";

let w: World;
let site: TestSite;
let now = new Date();
beforeAll(async () => {
  site = await startSite();
  w = await createWorld({ now: () => now, web: site.web });
});
afterAll(async () => {
  await w.close();
  await site.close();
});

const any = z.looseObject({});
const posts = z.looseObject({ posts: z.array(shapes.post) });
const tags = z.looseObject({ tags: z.array(shapes.tag) });
const chat = z.looseObject({ messages: z.array(shapes.chatMessage) });
const members = z.looseObject({ members: z.array(shapes.member) });

/** Fills a topic's chat. */
async function say(topicId: string, count: number) {
  const { db } = w.h;
  const userId = (await w.person()).userId;
  const at = new Date();
  await db
    .insertInto("chat_rooms")
    .values({ topic_id: topicId, last_position: count, message_count: count, last_at: at })
    .execute();
  const rows = Array.from({ length: count }, (_, i) => ({
    topic_id: topicId,
    position: i + 1,
    user_id: userId,
    type: "message" as const,
    message: `Line ${i}`,
    created_at: new Date(at.getTime() - count + i),
  }));
  await db.insertInto("chat_messages").values(rows).execute();
}

/** Fills a topic with posts without going through the API one by one. */
async function fill(topicId: string, authorId: string, count: number) {
  const rows = Array.from({ length: count }, (_, i) => ({
    topic_id: topicId,
    author_id: authorId,
    is_public: true,
    title: `Post ${i}`,
    content: "<p>c</p>",
    summary: "c",
    media: JSON.stringify({ images: [], videos: [] }),
    score: i,
    last_activity_at: new Date(),
    updated_at: new Date(),
  }));
  await w.h.db.insertInto("posts").values(rows).execute();
}

describe("the specification: limits", () => {
  rowSuite(limitRows, {
    "posts page size: default 20, max 100, offset default 0": async () => {
      const { topic, owner } = await w.place();
      await fill(topic.id, owner.userId, 119);
      const page = async (query: string) =>
        (await w.ok(200, posts, null, "GET", `/api/topics/${topic.id}/posts${query}`)).posts;
      const first = await page("");
      expect(first).toHaveLength(20);
      expect(await page("?limit=100")).toHaveLength(100);
      expect(await page("?limit=1000")).toHaveLength(100);
      expect((await page("?offset=0&limit=20")).map(({ id }) => id)).toEqual(first.map(({ id }) => id));
      expect(await page("?offset=100&limit=100")).toHaveLength(20);
    },
    "chat page size: default 50, max 500": async () => {
      const { topic, owner } = await w.place();
      await say(topic.id, 510);
      const page = async (query: string) =>
        (await w.ok(200, chat, owner, "GET", `/api/topics/${topic.id}/chat${query}`)).messages;
      expect(await page("")).toHaveLength(50);
      expect(await page("?limit=500")).toHaveLength(500);
      expect(await page("?limit=1000")).toHaveLength(500);
    },
    "chat message length: max 1000 characters": async () => {
      const { topic, owner } = await w.place();
      const path = `/api/topics/${topic.id}/chat`;
      await w.ok(201, any, owner, "POST", path, { message: "ü".repeat(1000) });
      await w.refused(400, owner, "POST", path, { message: "ü".repeat(1001) });
    },
    "chat heartbeat: every 30 seconds": async () => {
      const { topic, owner } = await w.place();
      const stream = await w.events(owner, `/api/topics/${topic.id}/chat/subscribe`);
      const opened = performance.now();
      expect(await stream.next("ping")).toMatchObject({ data: {} });
      // Streams share one clock: the first ping may come sooner, none later.
      expect(performance.now() - opened).toBeLessThan(31_000);
      await stream.close();
    },
    "tags per post: max 5": async () => {
      const { topic, member } = await w.place();
      const five = ["a", "b", "c", "d", "e"];
      expect((await w.post(member, topic.id, { tags: five })).tags).toHaveLength(5);
      const body = { title: "T", content: "<p>c</p>", tags: [...five, "f"] };
      await w.refused(400, member, "POST", `/api/topics/${topic.id}/posts`, body);
      const post = await w.post(member, topic.id);
      await w.refused(400, member, "PATCH", `/api/posts/${post.id}`, { tags: [...five, "f"] });
    },
    "tag search: up to 10 with q, up to 20 most used without": async () => {
      const { topic, member } = await w.place();
      for (let i = 0; i < 6; i += 1) {
        const names = Array.from({ length: 5 }, (_, j) => `Quark ${i * 5 + j}`);
        await w.post(member, topic.id, { tags: names });
      }
      await w.post(member, topic.id, { tags: ["Quark 7"] });
      const found = (await w.ok(200, tags, null, "GET", "/api/tags?q=quark")).tags;
      expect(found).toHaveLength(10);
      expect(found.every(({ slug }) => slug.startsWith("quark"))).toBe(true);
      const most = (await w.ok(200, tags, null, "GET", "/api/tags")).tags;
      expect(most).toHaveLength(20);
      expect(most[0]).toMatchObject({ slug: "quark-7", postCount: 2 });
      const scoped = await w.ok(200, tags, null, "GET", `/api/tags?topicId=${topic.id}`);
      expect(scoped.tags).toHaveLength(20);
    },
    "member search: up to 10 matches": async () => {
      const { topic, member } = await w.place();
      for (let i = 0; i < 11; i += 1) await w.join(await w.h.login(`seeker_${i}`), topic.inviteCode);
      const path = `/api/topics/${topic.id}/members`;
      expect((await w.ok(200, members, member, "GET", `${path}?q=seeker_`)).members).toHaveLength(10);
      expect((await w.ok(200, members, member, "GET", `${path}?q=SEEKER_10`)).members).toHaveLength(1);
    },
    "nickname: 2-20 letters, digits, underscore": async () => {
      const user = await w.person();
      const put = async (nickname: unknown) =>
        (await w.call(await w.nameless(), "PUT", "/api/profile/nickname", { nickname })).status;
      for (const good of ["ab", "A_9", "x".repeat(20)]) expect(await put(good), good).toBe(200);
      for (const bad of ["a", "x".repeat(21), "a b", "ü_1", "a-b", "", 5, null]) {
        expect(await put(bad), String(bad)).toBe(400);
      }
      expect(await put(user.nickname)).toBe(409);
      expect(await put(user.nickname.toUpperCase())).toBe(409);
    },
    "invite code: 8 characters": async () => {
      const { topic } = await w.place();
      expect(topic.inviteCode).toMatch(/^[0-9A-Z]{8}$/);
      await w.refused(404, await w.person(), "GET", `/api/topics/join/${topic.inviteCode}X`);
    },
    "invite token: 16 hex characters, 7 days, single use": async () => {
      const { topic, member } = await w.place("secret");
      const shape = z.looseObject({
        token: z.string().regex(/^[0-9a-f]{16}$/),
        expiresAt: z.iso.datetime(),
      });
      const issue = async () => await w.ok(201, shape, member, "POST", `/api/topics/${topic.id}/invite`);
      const { token, expiresAt } = await issue();
      expect(Date.parse(expiresAt) - now.getTime()).toBe(7 * 86_400_000);
      await w.join(await w.person(), token);
      await w.refused(404, await w.person(), "POST", `/api/topics/join/${token}`);
      const unused = await issue();
      const late = await w.person();
      now = new Date(Date.parse(unused.expiresAt) - 1000);
      await w.ok(200, any, await w.person(), "GET", `/api/topics/join/${unused.token}`);
      now = new Date(Date.parse(unused.expiresAt) + 1000);
      // A session lasts as long as the token did: this one is new.
      const { token: session } = await w.h.login(late.nickname);
      await w.refused(404, { ...late, token: session }, "POST", `/api/topics/join/${unused.token}`);
      now = new Date();
    },
    "link preview cache: 1 hour": async () => {
      const path = `/api/og?url=${encodeURIComponent(`${site.url}/page`)}`;
      const first = await w.ok(200, any, null, "GET", path);
      expect(first).toMatchObject({ title: "A title", description: "About it", siteName: "The site" });
      expect(await w.ok(200, any, await w.person(), "GET", path)).toEqual(first);
      expect(site.asked).toEqual(["/page"]);
      // What expires is the cache's business (lib/cache/cache.test.ts); that it was told an hour is ours.
      const told: number[] = [];
      const { cache } = w.h.services;
      const set: typeof cache.set = async (key, value, seconds, onlyIfAbsent) => {
        told.push(seconds);
        return await cache.set(key, value, seconds, onlyIfAbsent);
      };
      const services = { ...w.h.services, cache: { ...cache, set } };
      const other = encodeURIComponent(`${site.url}/page?other`);
      const request = new Request(`http://localhost:3000/api/og?url=${other}`);
      expect((await withServices(services, () => dispatch(request))).status).toBe(200);
      expect(told).toEqual([3600]);
    },
    "verification cache: 30 days": async () => {
      const user = await w.person();
      const at = new Date();
      const of = { userId: user.userId, circuit: "oidc_domain_attestation" };
      const proven = { domain: "acme.example", countries: null, countriesIncluded: null };
      await w.h.db
        .insertInto("verifications")
        .values({
          user_id: user.userId,
          circuit: of.circuit,
          provider: "provider_a",
          ...(await w.h.services.facts.seal(of, proven)),
          identity_hash: "of this person",
          verified_at: at,
          expires_at: new Date(at.getTime() + 30 * 86_400_000),
        })
        .execute();
      const shape = z.looseObject({
        badges: z.array(z.looseObject({ type: z.string(), verifiedAt: z.number(), expiresAt: z.number() })),
      });
      const badges = async () => {
        const { token } = await w.h.login(user.nickname);
        return (await w.ok(200, shape, { ...user, token }, "GET", "/api/profile/badges")).badges;
      };
      const [badge] = await badges();
      expect((badge?.expiresAt ?? 0) - (badge?.verifiedAt ?? 0)).toBe(30 * 86_400_000);
      now = new Date(at.getTime() + 30 * 86_400_000 - 60_000);
      expect(await badges()).toHaveLength(1);
      now = new Date(at.getTime() + 30 * 86_400_000 + 1);
      expect(await badges()).toEqual([]);
      now = new Date();
    },
    "reactions: 6 allowed emojis": async () => {
      const { owner, post } = await w.place();
      const path = `/api/posts/${post.id}/reactions`;
      const six = ["\u{1F44D}", "\u{2764}\u{FE0F}", "\u{1F525}", "\u{1F602}", "\u{1F389}", "\u{1F62E}"];
      for (const emoji of six) await w.ok(200, any, owner, "POST", path, { emoji });
      expect(await w.ok(200, any, owner, "POST", path, { emoji: "\u{2764}" })).toEqual({ added: false });
      for (const emoji of ["\u{1F44E}", "\u{1F44D}\u{1F3FD}", "thumbs up", "", "\u{1F525}\u{1F525}"]) {
        await w.refused(400, owner, "POST", path, { emoji });
      }
    },
  });
});
