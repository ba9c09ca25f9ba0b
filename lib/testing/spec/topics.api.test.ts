import { afterAll, beforeAll, describe, expect } from "vitest";
import { z } from "zod";
import { allVerifiers } from "../deployment";
import { topicEndpoints } from "./rows";
import * as shapes from "./shapes";
import { rowSuite } from "./suite";
import { categoryId, createWorld, missing, type World } from "./world";

let w: World;
beforeAll(async () => {
  w = await createWorld({ deployment: { verifiers: allVerifiers } });
});
afterAll(() => w.close());

const success = z.looseObject({ success: z.literal(true) });
const topicList = z.looseObject({ topics: z.array(shapes.topicListItem) });
const oneTopic = z.looseObject({ topic: shapes.topic, currentUserRole: z.string().nullable() });
const memberList = z.looseObject({ members: z.array(shapes.member), currentUserRole: z.string() });
const requestList = z.looseObject({ requests: z.array(shapes.joinRequest) });

describe("the specification: topics, join requests, members", () => {
  rowSuite(topicEndpoints, {
    "GET /api/topics": async () => {
      const owner = await w.person();
      const word = "zebrafinch";
      const open = await w.topic(owner, "public", { title: `Public ${word}` });
      const asked = await w.topic(owner, "private", { title: "Private", description: `about ZEBRAFINCH` });
      const hidden = await w.topic(owner, "secret", { title: `Secret ${word}` });
      const all = `/api/topics?view=all&q=${word}`;
      const ids = async (who: typeof owner | null, path: string) =>
        (await w.ok(200, topicList, who, "GET", path)).topics.map(({ id }) => id);
      expect(new Set(await ids(null, all))).toEqual(new Set([open.id, asked.id]));
      expect(new Set(await ids(owner, all))).toEqual(new Set([open.id, asked.id, hidden.id]));
      expect(await ids(null, "/api/topics")).toEqual([]);
      expect(new Set(await ids(owner, "/api/topics"))).toEqual(new Set([open.id, asked.id, hidden.id]));
      const [item] = (await w.ok(200, topicList, owner, "GET", all)).topics;
      expect(item).toMatchObject({ isMember: true, currentUserRole: "owner" });
      for (const sort of ["hot", "new", "active", "top"]) {
        expect(await ids(null, `${all}&sort=${sort}`)).toHaveLength(2);
      }
      const slug = open.category?.slug ?? "";
      expect(await ids(null, `${all}&category=${slug}`)).toHaveLength(2);
      await w.refused(400, null, "GET", "/api/topics?view=all&sort=best");
      await w.refused(400, null, "GET", "/api/topics?view=all&category=none-such");
      await w.refused(401, { ...owner, token: "nonsense" }, "GET", all);
    },

    "POST /api/topics": async () => {
      const owner = await w.person();
      const made = await w.topic(owner, "public", { description: "About it." });
      expect(made).toMatchObject({ creatorId: owner.userId, memberCount: 1, requiresCountryProof: false });
      expect(made.allowedCountries).toBeNull();
      const body = { title: "T", categoryId };
      const create = async (more: object, status: number, who = owner) =>
        await w.refused(status, who, "POST", "/api/topics", { ...body, ...more });
      expect(made.visibility).toBe("public");
      await w.refused(401, null, "POST", "/api/topics", body);
      await create({}, 403, await w.nameless());
      await create({ title: "" }, 400);
      await create({ categoryId: missing }, 400);
      await create({ visibility: "open" }, 400);
      const gated = { requiresCountryProof: true, allowedCountries: ["KR"] };
      const refusal = await w.call(owner, "POST", "/api/topics", { ...body, ...gated });
      expect(refusal.status).toBe(400);
      expect(refusal.as(shapes.error.extend({ proofRequirement: shapes.proofRequirement }))).toMatchObject({
        code: "proof_required",
        proofRequirement: { type: "country", allowedCountries: ["KR"] },
      });
    },

    "GET /api/topics/join/{inviteCode}": async () => {
      const owner = await w.person();
      const made = await w.topic(owner, "secret");
      const shape = z.looseObject({
        topic: z.looseObject({
          id: z.uuid(),
          title: z.string(),
          description: z.string().nullable(),
          requiresCountryProof: z.boolean(),
          allowedCountries: z.array(z.string()).nullable(),
          visibility: z.string(),
        }),
        isMember: z.boolean(),
      });
      const path = `/api/topics/join/${made.inviteCode}`;
      expect(await w.ok(200, shape, owner, "GET", path)).toMatchObject({ isMember: true });
      const seen = await w.ok(200, shape, await w.person(), "GET", path);
      expect(seen).toMatchObject({ topic: { id: made.id, visibility: "secret" }, isMember: false });
      await w.refused(401, null, "GET", path);
      await w.refused(404, owner, "GET", "/api/topics/join/ZZZZZZZZ");
    },

    "POST /api/topics/join/{inviteCode}": async () => {
      const made = await w.topic(await w.person(), "secret");
      const guest = await w.person();
      const path = `/api/topics/join/${made.inviteCode}`;
      const joined = await w.ok(
        201,
        z.looseObject({ success: z.literal(true), topicId: z.uuid() }),
        guest,
        "POST",
        path,
      );
      expect(joined.topicId).toBe(made.id);
      await w.refused(409, guest, "POST", path);
      await w.refused(401, null, "POST", path);
      await w.refused(404, guest, "POST", "/api/topics/join/ZZZZZZZZ");
      const founder = await w.person();
      await w.prove(founder, "acme.example");
      const gate = { proofType: "workspace", requiredDomain: "acme.example" };
      const gated = await w.topic(founder, "public", gate);
      const stranger = await w.person();
      const gatedPath = `/api/topics/join/${gated.inviteCode}`;
      const shape = shapes.error.extend({ proofRequirement: shapes.proofRequirement });
      const refusal = await w.call(stranger, "POST", gatedPath);
      expect([refusal.status, refusal.as(shape).code]).toEqual([403, "proof_required"]);
      await w.prove(stranger, "acme.example");
      await w.join(stranger, gated.inviteCode);
    },

    "GET /api/topics/{topicId}": async () => {
      for (const visibility of ["public", "private"] as const) {
        const { topic, member, outsider } = await w.place(visibility);
        const path = `/api/topics/${topic.id}`;
        expect(await w.ok(200, oneTopic, null, "GET", path)).toMatchObject({ currentUserRole: null });
        expect(await w.ok(200, oneTopic, outsider, "GET", path)).toMatchObject({ currentUserRole: null });
        const seen = await w.ok(200, oneTopic, member, "GET", path);
        expect(seen).toMatchObject({ currentUserRole: "member", topic: { memberCount: 3 } });
      }
      const { topic, owner, outsider } = await w.place("secret");
      await w.refused(404, null, "GET", `/api/topics/${topic.id}`);
      await w.refused(403, outsider, "GET", `/api/topics/${topic.id}`);
      expect(await w.ok(200, oneTopic, owner, "GET", `/api/topics/${topic.id}`)).toMatchObject({
        currentUserRole: "owner",
      });
      await w.refused(404, null, "GET", `/api/topics/${missing}`);
      await w.refused(404, null, "GET", "/api/topics/no-uuid");
      await w.refused(401, { ...owner, token: "x" }, "GET", `/api/topics/${topic.id}`);
    },

    "PATCH /api/topics/{topicId}": async () => {
      const { topic, owner, admin, outsider } = await w.place();
      const path = `/api/topics/${topic.id}`;
      const shape = z.looseObject({ topic: shapes.topic });
      const change = { title: "New title", description: "New words." };
      expect((await w.ok(200, shape, owner, "PATCH", path, change)).topic).toMatchObject(change);
      const cleared = await w.ok(200, shape, owner, "PATCH", path, { description: null });
      expect(cleared.topic).toMatchObject({ title: "New title", description: null, image: null });
      await w.refused(400, owner, "PATCH", path, {});
      await w.refused(400, owner, "PATCH", path, { title: "x".repeat(101) });
      await w.refused(401, null, "PATCH", path, change);
      await w.refused(403, admin, "PATCH", path, change);
      await w.refused(403, outsider, "PATCH", path, change);
      await w.refused(404, owner, "PATCH", `/api/topics/${missing}`, change);
    },

    "DELETE /api/topics/{topicId}": async () => {
      const { topic, owner, admin, member } = await w.place();
      await w.post(member, topic.id);
      const path = `/api/topics/${topic.id}`;
      await w.refused(401, null, "DELETE", path);
      await w.refused(403, admin, "DELETE", path);
      const shape = z.looseObject({ deleted: z.boolean(), topicId: z.uuid(), deletedPostCount: z.int() });
      expect(await w.ok(200, shape, owner, "DELETE", path)).toEqual({
        deleted: true,
        topicId: topic.id,
        deletedPostCount: 2,
      });
      await w.refused(404, owner, "DELETE", path);
      await w.refused(404, owner, "GET", path);
    },

    "POST /api/topics/{topicId}/join": async () => {
      const [open, asked, hidden] = [await w.place(), await w.place("private"), await w.place("secret")];
      const someone = await w.person();
      const path = (id: string) => `/api/topics/${id}/join`;
      expect(await w.ok(201, success, someone, "POST", path(open.topic.id))).toEqual({ success: true });
      await w.refused(409, someone, "POST", path(open.topic.id));
      const pending = z.looseObject({
        success: z.literal(true),
        status: z.literal("pending"),
        message: z.string().min(1),
      });
      await w.ok(202, pending, someone, "POST", path(asked.topic.id));
      await w.refused(409, someone, "POST", path(asked.topic.id));
      await w.refused(403, someone, "POST", path(hidden.topic.id));
      await w.refused(401, null, "POST", path(open.topic.id));
      await w.refused(404, someone, "POST", path(missing));

      const founder = await w.person();
      await w.prove(founder, "acme.example");
      const gate = { proofType: "workspace", requiredDomain: "acme.example" };
      const gated = await w.topic(founder, "public", gate);
      const reply = await w.call(someone, "POST", path(gated.id));
      expect(reply.status).toBe(402);
      const shape = shapes.error.extend({ proofRequirement: shapes.proofRequirement });
      expect(reply.as(shape).proofRequirement).toMatchObject({
        type: "workspace",
        domain: "acme.example",
        allowedCountries: null,
      });
      await w.prove(someone, "acme.example");
      await w.ok(201, success, someone, "POST", path(gated.id));
    },

    "POST /api/topics/{topicId}/invite": async () => {
      const { topic, member, outsider } = await w.place("secret");
      const path = `/api/topics/${topic.id}/invite`;
      const shape = z.looseObject({
        token: z.string().regex(/^[0-9a-f]{16}$/),
        expiresAt: z.iso.datetime(),
      });
      const { token, expiresAt } = await w.ok(201, shape, member, "POST", path);
      const days = (Date.parse(expiresAt) - Date.now()) / 86_400_000;
      expect(days).toBeGreaterThan(6.99);
      expect(days).toBeLessThanOrEqual(7);
      await w.join(outsider, token);
      await w.refused(404, await w.person(), "POST", `/api/topics/join/${token}`);
      await w.refused(401, null, "POST", path);
      await w.refused(403, await w.person(), "POST", path);
      await w.refused(404, member, "POST", `/api/topics/${missing}/invite`);
    },

    "GET /api/topics/{topicId}/requests": async () => {
      const { topic, owner, admin, member } = await w.place("private");
      const [first, second] = [await w.person(), await w.person()];
      for (const user of [first, second]) await w.call(user, "POST", `/api/topics/${topic.id}/join`);
      const path = `/api/topics/${topic.id}/requests`;
      const { requests } = await w.ok(200, requestList, admin, "GET", path);
      expect(requests.map(({ userId, status }) => [userId, status])).toEqual([
        [first.userId, "pending"],
        [second.userId, "pending"],
      ]);
      const body = { requestId: requests[0]?.id, action: "reject" };
      await w.ok(200, success, owner, "PATCH", path, body);
      expect((await w.ok(200, requestList, owner, "GET", path)).requests).toHaveLength(1);
      expect((await w.ok(200, requestList, owner, "GET", `${path}?status=all`)).requests).toHaveLength(2);
      await w.refused(401, null, "GET", path);
      await w.refused(403, member, "GET", path);
      await w.refused(403, first, "GET", path);
    },

    "PATCH /api/topics/{topicId}/requests": async () => {
      const { topic, owner, member } = await w.place("private");
      const someone = await w.person();
      await w.call(someone, "POST", `/api/topics/${topic.id}/join`);
      const path = `/api/topics/${topic.id}/requests`;
      const [request] = (await w.ok(200, requestList, owner, "GET", path)).requests;
      const body = { requestId: request?.id, action: "approve" };
      await w.refused(401, null, "PATCH", path, body);
      await w.refused(403, member, "PATCH", path, body);
      await w.refused(400, owner, "PATCH", path, { ...body, action: "maybe" });
      await w.refused(400, owner, "PATCH", path, { action: "approve" });
      await w.refused(404, owner, "PATCH", path, { ...body, requestId: missing });
      await w.ok(200, success, owner, "PATCH", path, body);
      await w.refused(409, owner, "PATCH", path, body);
      expect(await w.ok(200, oneTopic, someone, "GET", `/api/topics/${topic.id}`)).toMatchObject({
        currentUserRole: "member",
      });
    },

    "GET /api/topics/{topicId}/members": async () => {
      const { topic, owner, admin, member, outsider } = await w.place();
      const path = `/api/topics/${topic.id}/members`;
      const list = await w.ok(200, memberList, member, "GET", path);
      expect(list.currentUserRole).toBe("member");
      expect(list.members.map(({ userId, role }) => [userId, role])).toEqual([
        [owner.userId, "owner"],
        [admin.userId, "admin"],
        [member.userId, "member"],
      ]);
      const found = await w.ok(200, memberList, member, "GET", `${path}?q=${admin.nickname.toUpperCase()}`);
      expect(found.members.map(({ nickname }) => nickname)).toContain(admin.nickname);
      expect((await w.ok(200, memberList, member, "GET", `${path}?q=nobody_`)).members).toEqual([]);
      await w.refused(401, null, "GET", path);
      await w.refused(403, outsider, "GET", path);
    },

    "PATCH /api/topics/{topicId}/members": async () => {
      const { topic, owner, admin, member, outsider } = await w.place();
      const path = `/api/topics/${topic.id}/members`;
      const shape = success.extend({ role: z.string(), transferred: z.boolean() });
      const body = { userId: member.userId, role: "admin" };
      await w.refused(401, null, "PATCH", path, body);
      await w.refused(403, admin, "PATCH", path, body);
      await w.refused(403, outsider, "PATCH", path, body);
      await w.refused(400, owner, "PATCH", path, { ...body, role: "king" });
      await w.refused(400, owner, "PATCH", path, { role: "admin" });
      expect(await w.ok(200, shape, owner, "PATCH", path, body)).toEqual({
        success: true,
        role: "admin",
        transferred: false,
      });
      const handOver = { userId: member.userId, role: "owner" };
      expect(await w.ok(200, shape, owner, "PATCH", path, handOver)).toEqual({
        success: true,
        role: "owner",
        transferred: true,
      });
      await w.refused(403, owner, "PATCH", path, { userId: admin.userId, role: "member" });
      const { members } = await w.ok(200, memberList, owner, "GET", path);
      expect(members.filter(({ role }) => role === "owner").map(({ userId }) => userId)).toEqual([
        member.userId,
      ]);
    },

    "DELETE /api/topics/{topicId}/members": async () => {
      const { topic, owner, admin, member, outsider } = await w.place();
      const path = `/api/topics/${topic.id}/members`;
      const remove = (user: { userId: string }) => ({ userId: user.userId });
      await w.refused(401, null, "DELETE", path, remove(member));
      await w.refused(403, member, "DELETE", path, remove(admin));
      await w.refused(403, outsider, "DELETE", path, remove(member));
      await w.refused(403, admin, "DELETE", path, remove(owner));
      await w.refused(403, admin, "DELETE", path, remove(admin));
      await w.refused(403, owner, "DELETE", path, remove(owner));
      await w.ok(200, success, admin, "DELETE", path, remove(member));
      await w.ok(200, success, owner, "DELETE", path, remove(admin));
      const { members } = await w.ok(200, memberList, owner, "GET", path);
      expect(members.map(({ userId }) => userId)).toEqual([owner.userId]);
    },
  });
});
