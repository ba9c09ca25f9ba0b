import { afterAll, beforeAll, describe, expect } from "vitest";
import { z } from "zod";
import { png } from "../images";
import { otherEndpoints } from "./rows";
import * as shapes from "./shapes";
import { startSite, type TestSite } from "./site";
import { rowSuite } from "./suite";
import { createWorld, missing, type World } from "./world";

let w: World;
let site: TestSite;
beforeAll(async () => {
  site = await startSite();
  w = await createWorld({ web: site.web });
});
afterAll(async () => {
  await w.close();
  await site.close();
});

const success = z.looseObject({ success: z.literal(true) });
const tags = z.looseObject({ tags: z.array(shapes.tag) });
const posts = z.looseObject({ posts: z.array(shapes.post) });
const image = z.looseObject({ profileImage: z.string().nullable() });
const domains = z.looseObject({ domains: z.array(z.string()) });
const session = z.looseObject({ userId: z.string(), nickname: z.string(), verifiedAt: z.number() });
type Person = Awaited<ReturnType<World["person"]>>;

/** Uploads an image as this user and returns its public address. */
async function upload(user: Person, purpose: "avatar" | "post"): Promise<string> {
  const form = new FormData();
  form.set("file", new File([new Uint8Array(png(4, 4))], "a picture.png", { type: "image/png" }));
  form.set("purpose", purpose);
  const headers = { authorization: `Bearer ${user.token}` };
  const response = await w.h.fetch("/api/upload", { method: "POST", headers, body: form });
  expect(response.status).toBe(201);
  return z.looseObject({ publicUrl: z.string() }).parse(await response.json()).publicUrl;
}

describe("the specification: tags, statistics, profile, uploads, previews, sign-in", () => {
  rowSuite(otherEndpoints, {
    "GET /api/tags": async () => {
      const { topic, member } = await w.place();
      const hidden = await w.place("secret");
      await w.post(member, topic.id, { tags: ["Amber Fish", "Amber Bird"] });
      await w.post(hidden.member, hidden.topic.id, { tags: ["Amber Secret"] });
      const slugs = async (path: string, who: Person | null = null) =>
        (await w.ok(200, tags, who, "GET", path)).tags.map(({ slug }) => slug).toSorted();
      expect(await slugs("/api/tags?q=Amber")).toEqual(["amber-bird", "amber-fish"]);
      expect(await slugs("/api/tags")).toEqual(expect.arrayContaining(["amber-bird", "amber-fish"]));
      expect(await slugs(`/api/tags?topicId=${topic.id}`)).toEqual(["amber-bird", "amber-fish"]);
      expect(await slugs(`/api/tags?topicId=${hidden.topic.id}`, hidden.member)).toEqual(["amber-secret"]);
      await w.refused(404, null, "GET", `/api/tags?topicId=${hidden.topic.id}`);
    },
    "GET /api/stats": async () => {
      await w.place();
      const shape = z.looseObject({ totalTopics: z.int().min(1), totalMembers: z.int().min(1) });
      await w.ok(200, shape, null, "GET", "/api/stats");
    },
    "PUT /api/profile/nickname": async () => {
      const user = await w.nameless();
      const shape = z.looseObject({ nickname: z.string(), token: z.string() });
      const sent = { nickname: "Chosen_1" };
      const { nickname, token } = await w.ok(200, shape, user, "PUT", "/api/profile/nickname", sent);
      expect(nickname).toBe("Chosen_1");
      const renamed = { ...user, token };
      expect(await w.ok(200, session, renamed, "GET", "/api/auth/session")).toMatchObject({ nickname });
      await w.refused(400, renamed, "PUT", "/api/profile/nickname", { nickname: "a" });
      await w.refused(401, null, "PUT", "/api/profile/nickname", sent);
      await w.refused(409, await w.person(), "PUT", "/api/profile/nickname", { nickname: "chosen_1" });
    },
    "GET /api/profile/image": async () => {
      const user = await w.person();
      expect(await w.ok(200, image, user, "GET", "/api/profile/image")).toEqual({ profileImage: null });
      await w.refused(401, null, "GET", "/api/profile/image");
    },
    "PUT /api/profile/image": async () => {
      const { member, post } = await w.place();
      const imageUrl = await upload(member, "avatar");
      const put = await w.ok(200, success.and(image), member, "PUT", "/api/profile/image", { imageUrl });
      expect(put.profileImage).toBe(imageUrl);
      expect(await w.ok(200, image, member, "GET", "/api/profile/image")).toEqual({ profileImage: imageUrl });
      const read = z.looseObject({ post: shapes.post });
      const seen = await w.ok(200, read, null, "GET", `/api/posts/${post.id}`);
      expect(seen.post.authorProfileImage).toBe(imageUrl);
      const foreign = { imageUrl: "https://elsewhere.example/a.png" };
      await w.refused(400, member, "PUT", "/api/profile/image", foreign);
      await w.refused(400, await w.person(), "PUT", "/api/profile/image", { imageUrl });
      await w.refused(401, null, "PUT", "/api/profile/image", { imageUrl });
    },
    "DELETE /api/profile/image": async () => {
      const user = await w.person();
      const imageUrl = await upload(user, "avatar");
      await w.ok(200, success, user, "PUT", "/api/profile/image", { imageUrl });
      await w.ok(200, success, user, "DELETE", "/api/profile/image");
      expect(await w.ok(200, image, user, "GET", "/api/profile/image")).toEqual({ profileImage: null });
      await w.refused(401, null, "DELETE", "/api/profile/image");
    },
    "GET /api/profile/domain-badge": async () => {
      const user = await w.person();
      const shape = domains.extend({ availableDomain: z.string().nullable() });
      const path = "/api/profile/domain-badge";
      expect(await w.ok(200, shape, user, "GET", path)).toMatchObject({ domains: [], availableDomain: null });
      await w.prove(user, "acme.example");
      expect(await w.ok(200, shape, user, "GET", path)).toMatchObject({
        domains: [],
        availableDomain: "acme.example",
      });
      await w.refused(401, null, "GET", path);
    },
    "POST /api/profile/domain-badge": async () => {
      const user = await w.person();
      const path = "/api/profile/domain-badge";
      await w.refused(400, user, "POST", path);
      const shape = domains.extend({ success: z.literal(true), domain: z.string() });
      await w.prove(user, "acme.example");
      expect(await w.ok(200, shape, user, "POST", path)).toEqual({
        success: true,
        domain: "acme.example",
        domains: ["acme.example"],
      });
      await w.prove(user, "other.example");
      const both = await w.ok(200, shape, user, "POST", path);
      expect(both.domains.toSorted()).toEqual(["acme.example", "other.example"]);
      await w.refused(401, null, "POST", path);
    },
    "DELETE /api/profile/domain-badge": async () => {
      const user = await w.person();
      const path = "/api/profile/domain-badge";
      for (const domain of ["a.example", "b.example", "c.example"]) {
        await w.prove(user, domain);
        await w.call(user, "POST", path);
      }
      const one = await w.ok(200, success.and(domains), user, "DELETE", path, { domain: "b.example" });
      expect(one.domains.toSorted()).toEqual(["a.example", "c.example"]);
      expect(await w.ok(200, domains, user, "DELETE", path)).toMatchObject({ domains: [] });
      // The verification itself stays valid.
      const left = await w.ok(
        200,
        z.looseObject({ badges: z.array(z.unknown()) }),
        user,
        "GET",
        "/api/profile/badges",
      );
      expect(left.badges.length).toBeGreaterThan(0);
      await w.refused(401, null, "DELETE", path);
    },
    "GET /api/profile/badges": async () => {
      const user = await w.person();
      const shape = z.looseObject({
        badges: z.array(
          z.looseObject({
            type: z.enum(["kyc", "country", "oidc_domain", "oidc_login"]),
            verifiedAt: z.number(),
            expiresAt: z.number(),
          }),
        ),
      });
      expect(await w.ok(200, shape, user, "GET", "/api/profile/badges")).toEqual({ badges: [] });
      await w.prove(user, "acme.example");
      const { badges } = await w.ok(200, shape, user, "GET", "/api/profile/badges");
      expect(badges.map(({ type }) => type)).toContain("oidc_domain");
      expect(JSON.stringify(badges)).not.toContain("acme");
      await w.refused(401, null, "GET", "/api/profile/badges");
    },
    "DELETE /api/upload": async () => {
      const [user, other] = [await w.person(), await w.person()];
      const [mine, theirs] = [await upload(user, "post"), await upload(other, "post")];
      const shape = z.looseObject({ attempted: z.int(), deleted: z.int(), skipped: z.int() });
      const urls = [mine, "https://elsewhere.example/a.png", "data:image/png;base64,AAAA"];
      expect(await w.ok(200, shape, user, "DELETE", "/api/upload", { urls })).toMatchObject({
        deleted: 1,
        skipped: 2,
      });
      await w.refused(400, user, "DELETE", "/api/upload", { urls: [theirs] });
      await w.refused(400, user, "DELETE", "/api/upload", {});
      await w.refused(401, null, "DELETE", "/api/upload", { urls });
    },
    "GET /api/og": async () => {
      const shape = z.looseObject({
        title: z.string(),
        description: z.string(),
        image: z.string(),
        siteName: z.string(),
        favicon: z.string(),
        url: z.string(),
      });
      const path = (url: string) => `/api/og?url=${encodeURIComponent(url)}`;
      expect(await w.ok(200, shape, null, "GET", path(`${site.url}/page`))).toMatchObject({
        title: "A title",
        description: "About it",
        image: `${site.url}/image.png`,
        siteName: "The site",
      });
      await w.refused(400, null, "GET", "/api/og");
      await w.refused(400, null, "GET", path("ftp://files.example/a"));
      await w.refused(400, null, "GET", path("http://localhost/"));
    },
    "GET /api/og/image": async () => {
      const path = (src: string) => `/api/og/image?src=${encodeURIComponent(src)}`;
      const response = await w.h.fetch(path(`${site.url}/image.png`));
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("image/png");
      expect(
        Buffer.from(await response.arrayBuffer())
          .subarray(1, 4)
          .toString(),
      ).toBe("PNG");
      await w.refused(400, null, "GET", "/api/og/image");
      await w.refused(400, null, "GET", path("not a url"));
      await w.refused(415, null, "GET", path(`${site.url}/text`));
      await w.refused(502, null, "GET", path(`${site.url}/broken`));
    },
    "service health check": async () => {
      const shape = z.looseObject({ status: z.string(), timestamp: z.iso.datetime(), uptime: z.number() });
      await w.ok(200, shape, null, "GET", "/api/health");
    },
    "upload creation": async () => {
      const user = await w.person();
      const body = { filename: "a.png", contentType: "image/png", size: png(4, 4).length };
      const shape = z.looseObject({
        uploadUrl: z.url(),
        publicUrl: z.string(),
        expiresIn: z.literal(600),
      });
      const { uploadUrl, publicUrl } = await w.ok(201, shape, user, "POST", "/api/upload", body);
      expect(publicUrl).toContain(`/posts/${user.userId}/`);
      const put = await w.h.fetch(uploadUrl, {
        method: "PUT",
        headers: { "content-type": "image/png" },
        body: new Uint8Array(png(4, 4)),
      });
      expect(put.status).toBeLessThan(300);
      const avatar = await upload(user, "avatar");
      expect(avatar).toContain(`/avatars/${user.userId}/`);
      await w.refused(400, user, "POST", "/api/upload", { ...body, contentType: "image/svg+xml" });
      await w.refused(413, user, "POST", "/api/upload", { ...body, size: 10_000_001 });
      await w.refused(401, null, "POST", "/api/upload", body);
    },
    "account deletion": async () => {
      const { topic, owner, member, post } = await w.place();
      const refusal = await w.call(owner, "DELETE", "/api/account");
      const owned = shapes.error.extend({ topics: z.array(z.looseObject({ id: z.uuid() })) });
      expect([refusal.status, refusal.as(owned).topics.map(({ id }) => id)]).toEqual([409, [topic.id]]);
      await w.ok(200, success, member, "DELETE", "/api/account");
      await w.refused(401, member, "GET", "/api/auth/session");
      const read = z.looseObject({ post: shapes.post });
      const seen = await w.ok(200, read, null, "GET", `/api/posts/${post.id}`);
      expect(seen.post).toMatchObject({ authorNickname: "[withdrawn]", title: post.title });
      await w.refused(401, null, "DELETE", "/api/account");
    },
    "the user's own posts": async () => {
      const { member, post } = await w.place();
      const mine = await w.ok(200, posts, member, "GET", "/api/my/posts");
      expect(mine.posts.map(({ id }) => id)).toEqual([post.id]);
      await w.refused(401, null, "GET", "/api/my/posts");
    },
    "the user's liked posts": async () => {
      const { owner, post } = await w.place();
      await w.ok(200, z.looseObject({}), owner, "POST", `/api/posts/${post.id}/vote`, { value: 1 });
      const liked = await w.ok(200, posts, owner, "GET", "/api/my/likes");
      expect(liked.posts.map(({ id }) => id)).toEqual([post.id]);
      await w.refused(401, null, "GET", "/api/my/likes");
    },
    "the user's bookmarks": async () => {
      const { owner, post } = await w.place();
      await w.ok(200, z.looseObject({}), owner, "POST", `/api/posts/${post.id}/bookmark`);
      const shape = z.looseObject({ posts: z.array(shapes.post.extend({ bookmarkedAt: z.iso.datetime() })) });
      const kept = await w.ok(200, shape, owner, "GET", "/api/bookmarks");
      expect(kept.posts.map(({ id }) => id)).toEqual([post.id]);
      await w.refused(401, null, "GET", "/api/bookmarks");
    },
    "POST /api/auth/challenge": async () => {
      const shape = z.looseObject({
        challengeId: z.string().min(1),
        scope: z.literal("zk-community"),
        nonce: z.string().min(1),
        expiresIn: z.literal(300),
      });
      const first = await w.ok(200, shape, null, "POST", "/api/auth/challenge");
      const second = await w.ok(200, shape, null, "POST", "/api/auth/challenge");
      expect(second.nonce).not.toBe(first.nonce);
    },
    "POST /api/auth/verify/ai": async () => {
      // Accepted proofs: lib/session/*.api.test.ts with the real acceptor, and the journeys with real proofs.
      const result = { circuit: "oidc_domain_attestation", proof: "0x00", publicInputs: ["0x00"] };
      const body = { challengeId: "none", result };
      expect(["proof_malformed", "challenge_unknown"]).toContain(
        (await w.call(null, "POST", "/api/auth/verify/ai", body)).as(shapes.error).code,
      );
      await w.refused(400, null, "POST", "/api/auth/verify/ai", { challengeId: "none" });
    },
    "POST /api/auth/proof-request": async () => {
      const shape = z.looseObject({
        requestId: z.string(),
        deepLink: z.url(),
        scope: z.literal("zk-community"),
        circuitType: z.string(),
        expiresIn: z.int().positive(),
      });
      const reply = await w.call(null, "POST", "/api/auth/proof-request");
      expect(reply.status).toBe(200);
      expect(reply.as(shape).deepLink).toContain(reply.as(shape).requestId);
      expect(reply.headers.get("set-cookie")).toMatch(/HttpOnly/i);
      await w.refused(400, null, "POST", "/api/auth/proof-request", { circuitType: "unknown" });
    },
    "GET /api/auth/proof-request/{requestId}": async () => {
      const made = z.looseObject({ requestId: z.string(), code: z.string() });
      const { requestId, code } = (await w.call(null, "POST", "/api/auth/proof-request")).as(made);
      const shape = z.looseObject({ code: z.string(), scope: z.string(), circuitType: z.string() });
      const seen = await w.ok(200, shape, null, "GET", `/api/auth/proof-request/${requestId}`);
      expect(seen.code).toBe(code);
      await w.refused(404, null, "GET", `/api/auth/proof-request/${missing}`);
    },
    "POST /api/auth/proof-request/{requestId}": async () => {
      const body = { proof: "0x00", publicInputs: ["0x00"] };
      await w.refused(404, null, "POST", `/api/auth/proof-request/${missing}`, body);
      const made = z.looseObject({ requestId: z.string() });
      const { requestId } = (await w.call(null, "POST", "/api/auth/proof-request")).as(made);
      await w.refused(400, null, "POST", `/api/auth/proof-request/${requestId}`, {});
      await w.refused(400, null, "POST", `/api/auth/proof-request/${requestId}`, body);
    },
    "GET /api/auth/poll/{requestId}": async () => {
      const reply = await w.call(null, "POST", "/api/auth/proof-request");
      const { requestId } = reply.as(z.looseObject({ requestId: z.string() }));
      // Only the browser that asked, told by its cookie.
      await w.refused(404, null, "GET", `/api/auth/poll/${requestId}`);
      const cookie = reply.headers.get("set-cookie")?.split(";")[0] ?? "";
      const polled = await w.h.send("GET", `/api/auth/poll/${requestId}`, { headers: { cookie } });
      expect([polled.status, polled.body]).toMatchObject([200, { status: "pending" }]);
    },
    "GET /api/auth/session": async () => {
      const user = await w.person();
      expect(await w.ok(200, session, user, "GET", "/api/auth/session")).toMatchObject({
        userId: user.userId,
        nickname: user.nickname,
      });
      const nobody = await w.ok(200, z.looseObject({}), null, "GET", "/api/auth/session");
      expect(nobody).toEqual({ authenticated: false });
    },
    "POST /api/auth/logout": async () => {
      const user = await w.person();
      await w.ok(200, success, user, "POST", "/api/auth/logout");
      await w.refused(401, user, "GET", "/api/auth/session");
    },
    "POST /api/auth/refresh": async () => {
      const user = await w.person();
      const shape = z.looseObject({
        token: z.string(),
        userId: z.literal(user.userId),
        nickname: z.string(),
        expiresAt: z.iso.datetime(),
      });
      const { token } = await w.ok(200, shape, user, "POST", "/api/auth/refresh");
      await w.ok(200, session, { ...user, token }, "GET", "/api/auth/session");
      await w.refused(401, null, "POST", "/api/auth/refresh");
    },
    "POST /api/auth/dev-login": async () => {
      const shape = z.looseObject({
        userId: z.string(),
        nickname: z.string(),
        token: z.string(),
        needsNickname: z.boolean(),
      });
      const made = await w.ok(200, shape, null, "POST", "/api/auth/dev-login", { nickname: "Dev_1" });
      const again = await w.ok(200, shape, null, "POST", "/api/auth/dev-login", { nickname: "Dev_1" });
      expect(again.userId).toBe(made.userId);
      const fresh = await w.ok(200, shape, null, "POST", "/api/auth/dev-login");
      expect(fresh).toMatchObject({ needsNickname: true, nickname: expect.stringMatching(/^anon_/) });
    },
  });
});
