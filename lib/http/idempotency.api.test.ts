import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { general, makePost, makeTopic } from "@/lib/community/testing";
import { operation } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { withServices } from "@/lib/runtime/services";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { endpoint } from "./endpoint";

let h: Harness;
let offset = 0;
let ada: TestUser;
let bob: TestUser;
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(Date.now() + offset) });
  [ada, bob] = await Promise.all([h.login("ada"), h.login("bob")]);
});
afterAll(async () => await h.close());
beforeEach(() => {
  offset = 0;
});

let keys = 0;
const freshKey = () => `key-${++keys}`;
const post = (user: TestUser | null, path: string, key: string | null, body?: unknown) =>
  h.send("POST", path, {
    token: user?.token,
    body,
    headers: key === null ? {} : { "idempotency-key": key },
  });
const topicBody = (title = "Once only") => ({ title, categoryId: general });
const topicsCalled = async (title: string) =>
  (await h.db.selectFrom("topics").select("id").where("title", "=", title).execute()).length;

describe("a repetition under one Idempotency-Key", () => {
  it("201 again with the first answer to the letter, says so in a header, and makes nothing", async () => {
    const key = freshKey();
    const first = await post(ada, "/api/topics", key, topicBody("Letter"));
    expect(first.status).toBe(201);
    expect(first.headers.has("idempotent-replayed")).toBe(false);
    const again = await post(ada, "/api/topics", key, { categoryId: general, title: " Letter " });
    expect(again).toMatchObject({ status: 201, body: Object(first.body) });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await topicsCalled("Letter")).toBe(1);
  });

  it("202 again, where without the key it would be a conflict", async () => {
    const { id } = await makeTopic(ada, "private");
    const key = freshKey();
    const first = await post(bob, `/api/topics/${id}/join`, key);
    expect(first.status).toBe(202);
    expect(await post(bob, `/api/topics/${id}/join`, key)).toMatchObject({ status: 202, body: first.body });
    expect((await post(bob, `/api/topics/${id}/join`, freshKey())).status).toBe(409);
  });

  it("gives the answer of then, whatever happened since", async () => {
    const topic = await makeTopic(ada);
    const key = freshKey();
    const first = await post(ada, `/api/topics/${topic.id}/posts`, key, {
      title: "Then",
      content: "<p>x</p>",
    });
    await h.db.updateTable("posts").set({ title: "Now" }).where("topic_id", "=", topic.id).execute();
    const again = await post(ada, `/api/topics/${topic.id}/posts`, key, {
      title: "Then",
      content: "<p>x</p>",
    });
    expect(again.body).toEqual(first.body);
  });

  it("409 idempotency_mismatch for another body or another path, and nothing is made", async () => {
    const [one, two] = [await makeTopic(ada), await makeTopic(ada)];
    const key = freshKey();
    const body = { title: "Mine", content: "<p>x</p>" };
    expect((await post(ada, `/api/topics/${one.id}/posts`, key, body)).status).toBe(201);
    for (const [topicId, sent] of [
      [one.id, { ...body, title: "Other" }],
      [two.id, body],
    ] as const) {
      expect(await post(ada, `/api/topics/${topicId}/posts`, key, sent)).toMatchObject({
        status: 409,
        body: { code: "idempotency_mismatch" },
      });
    }
    const made = await h.db
      .selectFrom("posts")
      .select("id")
      .where("topic_id", "in", [one.id, two.id])
      .execute();
    expect(made).toHaveLength(1);
  });

  it("is another request for another user and for another operation", async () => {
    const key = freshKey();
    const title = "Same key";
    expect((await post(ada, "/api/topics", key, topicBody(title))).status).toBe(201);
    const other = await post(bob, "/api/topics", key, topicBody(title));
    expect(other.status).toBe(201);
    expect(other.headers.has("idempotent-replayed")).toBe(false);
    expect(await topicsCalled(title)).toBe(2);
    const { id } = await makeTopic(ada);
    const sent = { title, content: "<p>x</p>" };
    expect((await post(ada, `/api/topics/${id}/posts`, key, sent)).status).toBe(201);
  });

  it("counts for 24 hours", async () => {
    const key = freshKey();
    await post(ada, "/api/topics", key, topicBody("A day"));
    offset = 24 * 3_600_000 - 5000;
    expect((await post(ada, "/api/topics", key, topicBody("A day"))).headers.get("idempotent-replayed")).toBe(
      "true",
    );
    offset = 24 * 3_600_000 + 5000;
    const later = await post(ada, "/api/topics", key, topicBody("A day"));
    expect(later.status).toBe(201);
    expect(later.headers.has("idempotent-replayed")).toBe(false);
    expect(await topicsCalled("A day")).toBe(2);
  });

  it("is free again after a refusal: the same key then carries it out", async () => {
    const topic = await makeTopic(ada);
    const carl = await h.login("carl");
    const key = freshKey();
    const write = () =>
      post(carl, `/api/topics/${topic.id}/posts`, key, { title: "At last", content: "<p>x</p>" });
    expect((await write()).status).toBe(403);
    await post(carl, `/api/topics/${topic.id}/join`, null);
    const made = await write();
    expect(made.status).toBe(201);
    expect(made.headers.has("idempotent-replayed")).toBe(false);
    expect((await write()).headers.get("idempotent-replayed")).toBe("true");
  });
});

describe("100 at once under one key make one", () => {
  /** Every response is the first one, or says that it is in progress. */
  async function hundred(path: string, body: object): Promise<readonly string[]> {
    const key = freshKey();
    const answers = await Promise.all(Array.from({ length: 100 }, () => post(ada, path, key, body)));
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    for (const { status, body: refusal } of answers) {
      if (status !== 201) expect({ status, refusal }).toMatchObject(underWay);
    }
    expect(made.filter(({ headers }) => !headers.has("idempotent-replayed"))).toHaveLength(1);
    return [...new Set(made.map(({ body: answer }) => JSON.stringify(answer)))];
  }
  const underWay = { status: 409, refusal: { code: "idempotency_in_progress" } };

  it("topic", async () => {
    expect(await hundred("/api/topics", topicBody("One of 100"))).toHaveLength(1);
    expect(await topicsCalled("One of 100")).toBe(1);
  });

  it("post", async () => {
    const { id } = await makeTopic(ada);
    expect(await hundred(`/api/topics/${id}/posts`, { title: "P", content: "<p>x</p>" })).toHaveLength(1);
    const { post_count } = await h.db
      .selectFrom("topics")
      .select("post_count")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(post_count).toBe(1);
  });

  it("comment", async () => {
    const { id } = await makePost(ada, (await makeTopic(ada)).id);
    expect(await hundred(`/api/posts/${id}/comments`, { content: "Once." })).toHaveLength(1);
    const made = await h.db.selectFrom("comments").select("id").where("post_id", "=", id).execute();
    expect(made).toHaveLength(1);
  });
});

/** A creation that a test can hold back. */
const create = operation({
  id: "test.create",
  method: "POST",
  path: "/api/test",
  summary: "",
  tag: "test",
  auth: "required",
  nickname: false,
  access: "signed-in",
  limit: { points: 1000, seconds: 60 },
  body: z.object({ name: z.string() }),
  responses: { 201: z.object({ name: z.string(), made: z.int() }) },
  errors: [],
});

async function called(work: () => Promise<void>, key: string, made = { count: 0 }) {
  const request = new Request("http://localhost:3000/api/test", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${ada.token}`,
      "idempotency-key": key,
    },
    body: '{"name":"x"}',
  });
  const handler = endpoint(create, async (_, { name }) => {
    await work();
    made.count += 1;
    return { name, made: made.count };
  });
  const response = await withServices(h.services, () => handler(request, { params: Promise.resolve({}) }));
  const body: unknown = await response.json();
  return { status: response.status, headers: response.headers, body };
}

describe("while the first one is under way", () => {
  it("409 idempotency_in_progress with retry-after; afterwards the answer", async () => {
    const key = freshKey();
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const made = { count: 0 };
    let started = () => {};
    const begun = new Promise<void>((resolve) => {
      started = resolve;
    });
    const first = called(
      async () => {
        started();
        await held;
      },
      key,
      made,
    );
    await begun;
    const second = await called(async () => {}, key, made);
    expect(second).toMatchObject({ status: 409, body: { code: "idempotency_in_progress" } });
    expect(Number(second.headers.get("retry-after"))).toBeGreaterThan(0);
    finish();
    expect((await first).status).toBe(201);
    expect(await called(async () => {}, key, made)).toMatchObject({ status: 201, body: { made: 1 } });
    expect(made.count).toBe(1);
  });

  it("a process that died in it leaves the key taken: whether it took effect is not known", async () => {
    const key = freshKey();
    await new Promise<void>((begun) => {
      void called(() => {
        begun();
        return new Promise(() => {});
      }, key);
    });
    expect((await called(async () => {}, key)).status).toBe(409);
    offset = 24 * 3_600_000 + 1000;
    expect((await called(async () => {}, key)).status).toBe(201);
  });

  it("what failed by our fault frees the key", async () => {
    const key = freshKey();
    const fails = async () => {
      throw new Error("the database went away");
    };
    expect((await called(fails, key)).status).toBe(500);
    const refused = async () => {
      throw new Refusal("post_not_found", { message: "No." });
    };
    expect((await called(refused, key)).status).toBe(404);
    expect((await called(async () => {}, key)).status).toBe(201);
  });
});

describe("what is kept", () => {
  it("neither key nor answer can be read in the table: an invite token is shown once and lies there sealed", async () => {
    const { id } = await makeTopic(ada);
    const key = "a-key-of-the-client";
    const first = await post(ada, `/api/topics/${id}/invite`, key);
    const { token } = Object(first.body);
    expect(token).toMatch(/^[0-9a-f]{16}$/);
    const rows = await h.db.selectFrom("idempotency_keys").selectAll().execute();
    const text = rows
      .map((row) => `${JSON.stringify(row)}${Buffer.from(row.answer ?? "", "base64url").toString("latin1")}`)
      .join();
    expect(rows.some(({ status, answer }) => status === 201 && answer !== null)).toBe(true);
    expect(text).not.toContain(token);
    expect(text).not.toContain(key);
    expect(Object((await post(ada, `/api/topics/${id}/invite`, key)).body).token).toBe(token);
  });
});

describe("the header", () => {
  it.each(["", "two words", "x".repeat(256), "clé", "a\tb"])("%j is 400", async (key) => {
    expect(await post(ada, "/api/topics", key, topicBody())).toMatchObject({
      status: 400,
      body: { code: "invalid_request", field: "Idempotency-Key" },
    });
  });

  it("may have 255 characters", async () => {
    expect((await post(ada, "/api/topics", "k".repeat(255), topicBody())).status).toBe(201);
  });

  it("is nothing to operations that create nothing: a vote under one key is switched twice", async () => {
    const { id } = await makePost(ada, (await makeTopic(ada)).id);
    const key = freshKey();
    const vote = () => post(ada, `/api/posts/${id}/vote`, key, { value: 1 });
    expect((await vote()).body).toMatchObject({ upvoteCount: 1 });
    expect((await vote()).body).toMatchObject({ upvoteCount: 0 });
    expect((await post(ada, `/api/posts/${id}/vote`, "two words", { value: 1 })).status).toBe(200);
  });

  it("does not get a guest past the session", async () => {
    expect((await post(null, "/api/topics", freshKey(), topicBody())).status).toBe(401);
  });
});
