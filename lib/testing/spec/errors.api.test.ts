import { afterAll, beforeAll, describe, expect } from "vitest";
import { z } from "zod";
import { errorRows } from "./rows";
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

const through = (address: string) => `/api/og/image?src=${encodeURIComponent(address)}`;

const any = z.looseObject({});

describe("the specification: errors", () => {
  rowSuite(errorRows, {
    "400 invalid parameters or body": async () => {
      const { topic, owner, member, post } = await w.place();
      const body = async (method: "POST" | "PATCH" | "PUT", path: string, sent: unknown, field?: string) => {
        const refusal = await w.refused(400, member, method, path, sent);
        if (field) expect(refusal).toMatchObject({ field });
      };
      await w.refused(400, owner, "PATCH", `/api/topics/${topic.id}`, {});
      await body("PATCH", `/api/posts/${post.id}`, {});
      await body("PUT", "/api/profile/nickname", { nickname: "no spaces" }, "nickname");
      await body("POST", `/api/posts/${post.id}/reactions`, { emoji: "x" }, "emoji");
      await body("POST", "/api/profile/domain-badge", {});
      await w.refused(400, null, "GET", "/api/og/image");
      await w.refused(400, null, "GET", "/api/og/image?src=not-a-url");
      await w.refused(400, null, "GET", "/api/og?url=ftp://files.example/");
    },
    "401 missing or invalid session or token": async () => {
      const { owner, topic } = await w.place();
      const refusal = await w.refused(401, null, "POST", `/api/topics/${topic.id}/join`);
      expect(refusal.error).toMatch(/^Not authenticated/);
      for (const token of ["", "x", `${owner.token}x`, owner.token.slice(0, -2)]) {
        await w.refused(401, { ...owner, token }, "GET", "/api/topics");
      }
    },
    "402 proof required, on POST join only": async () => {
      const founder = await w.person();
      await w.prove(founder, "acme.example");
      const gate = { proofType: "workspace", requiredDomain: "acme.example" };
      const topic = await w.topic(founder, "public", gate);
      const someone = await w.person();
      const reply = await w.call(someone, "POST", `/api/topics/${topic.id}/join`);
      expect(reply.status).toBe(402);
      reply.as(shapes.error.extend({ proofRequirement: shapes.proofRequirement }));
      await w.refused(403, someone, "POST", `/api/topics/join/${topic.inviteCode}`);
      const { token } = await w.ok(
        201,
        z.looseObject({ token: z.string() }),
        founder,
        "POST",
        `/api/topics/${topic.id}/invite`,
      );
      await w.refused(403, someone, "POST", `/api/topics/join/${token}`);
    },
    "403 authenticated but not allowed": async () => {
      const { topic, admin, member, outsider, post } = await w.place();
      const hidden = await w.place("secret");
      const nameless = await w.nameless();
      const unnamed = await w.refused(403, nameless, "POST", `/api/topics/${topic.id}/join`);
      expect(unnamed).toMatchObject({ code: "nickname_required" });
      expect(unnamed.error).toContain("/profile");
      await w.refused(403, outsider, "POST", `/api/posts/${post.id}/comments`, { content: "x" });
      await w.refused(403, member, "POST", `/api/posts/${post.id}/pin`);
      await w.refused(403, admin, "PATCH", `/api/topics/${topic.id}`, { title: "x" });
      await w.refused(403, outsider, "POST", `/api/topics/${hidden.topic.id}/join`);
    },
    "404 resource missing, or hidden": async () => {
      const { owner } = await w.place();
      const hidden = await w.place("secret");
      await w.refused(404, owner, "GET", `/api/topics/${missing}`);
      await w.refused(404, owner, "GET", `/api/posts/${missing}`);
      await w.refused(404, owner, "GET", "/api/topics/join/ZZZZZZZZ");
      // To a guest a secret topic is not there: the same answer, to the letter, as for none.
      const strip = (body: unknown) => ({ ...Object(body), requestId: "" });
      for (const path of ["", "/posts"]) {
        const there = await w.call(null, "GET", `/api/topics/${hidden.topic.id}${path}`);
        const absent = await w.call(null, "GET", `/api/topics/${missing}${path}`);
        expect(there.status).toBe(404);
        expect(strip(there.body)).toEqual(strip(absent.body));
      }
      for (const path of ["", "/reactions"]) {
        const there = await w.call(null, "GET", `/api/posts/${hidden.post.id}${path}`);
        const absent = await w.call(null, "GET", `/api/posts/${missing}${path}`);
        expect(there.status).toBe(404);
        expect(strip(there.body)).toEqual(strip(absent.body));
      }
    },
    "409 duplicate or invalid state": async () => {
      const { topic, owner, member, outsider } = await w.place("private");
      await w.refused(409, member, "POST", `/api/topics/${topic.id}/join`);
      await w.call(outsider, "POST", `/api/topics/${topic.id}/join`);
      await w.refused(409, outsider, "POST", `/api/topics/${topic.id}/join`);
      await w.refused(409, outsider, "PUT", "/api/profile/nickname", { nickname: owner.nickname });
      const post = await w.post(member, topic.id, { poll: { options: ["One", "Two"] } });
      const optionIds = [post.poll?.options[0]?.id];
      await w.ok(200, any, owner, "POST", `/api/posts/${post.id}/poll/vote`, { optionIds });
      await w.refused(409, member, "PATCH", `/api/posts/${post.id}`, {
        poll: { options: ["Three", "Four"] },
      });
      await w.h.db.updateTable("posts").set({ record_count: 1 }).where("id", "=", post.id).execute();
      await w.refused(409, member, "PATCH", `/api/posts/${post.id}`, { title: "x" });
    },
    "415 proxied resource is not an image": async () => {
      await w.refused(415, null, "GET", through(`${site.url}/text`));
      await w.refused(415, null, "GET", through(`${site.url}/page`));
    },
    "502 upstream fetch failed": async () => {
      await w.refused(502, null, "GET", through(`${site.url}/broken`));
      await w.refused(502, null, "GET", `/api/og?url=${encodeURIComponent(`${site.url}/broken`)}`);
    },
  });
});
