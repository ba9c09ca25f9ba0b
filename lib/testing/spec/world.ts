import { createParser } from "eventsource-parser";
import { expect } from "vitest";
import { z } from "zod";
import { seededCategories } from "@/db/seeded-categories";
import { verified } from "@/lib/community/testing";
import { createHarness, type Harness, type HarnessOptions, type TestUser } from "../harness";
import * as shapes from "./shapes";

type Visibility = "public" | "private" | "secret";
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export const categoryId = seededCategories[0]?.id ?? "";
export const missing = "00000000-0000-4000-8000-000000000000";

/** One event of a stream, its data parsed. */
export interface Event {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: unknown;
}

/** An answer, read by schemas written from the specification. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  /** The body as this shape; the test fails when it is another. */
  as<T extends z.ZodType>(shape: T): z.output<T>;
}

/**
 * A client that knows the specification only: paths and JSON over the route handlers. Callers are users, or null for
 * a guest.
 */
export async function createWorld(options: HarnessOptions = {}) {
  const h: Harness = await createHarness(options);
  let names = 0;

  async function call(who: TestUser | null, method: Method, path: string, body?: unknown): Promise<Reply> {
    const { status, headers, body: answer } = await h.send(method, path, { token: who?.token, body });
    return { status, headers, body: answer, as: (shape) => shape.parse(answer) };
  }

  /** Expects a success and returns its body as this shape. */
  async function ok<T extends z.ZodType>(
    status: number,
    shape: T,
    ...request: Parameters<typeof call>
  ): Promise<z.output<T>> {
    const reply = await call(...request);
    expect(reply.status, JSON.stringify(reply.body)).toBe(status);
    return reply.as(shape);
  }

  /** Expects a refusal with this status, whose body is the error body. */
  async function refused(status: number, ...request: Parameters<typeof call>) {
    const reply = await call(...request);
    expect(reply.status, JSON.stringify(reply.body)).toBe(status);
    return reply.as(shapes.error);
  }

  /** Opens an event stream; events come as they were sent. `close` before the end of the test. */
  async function events(who: TestUser, path: string, headers: Readonly<Record<string, string>> = {}) {
    const response = await h.fetch(`http://localhost:3000${path}`, {
      headers: { authorization: `Bearer ${who.token}`, ...headers },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream\b/);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const parsed: Event[] = [];
    const parser = createParser({
      onEvent: ({ event = "message", id, data }) => parsed.push({ event, id, data: JSON.parse(data) }),
    });
    /** The next event of this name; others are passed over. Null when the stream ends before. */
    async function next(name: string): Promise<Event | null> {
      for (;;) {
        const found = parsed.findIndex(({ event }) => event === name);
        const [event] = found < 0 ? [] : parsed.splice(0, found + 1).slice(-1);
        if (event) return event;
        const part = await reader?.read();
        if (!part || part.done) return null;
        parser.feed(part.value);
      }
    }
    return { next, close: async () => await reader?.cancel() };
  }

  async function person(): Promise<TestUser> {
    names += 1;
    return await h.login(`person_${names}`);
  }
  const nameless = () => h.login();

  async function topic(
    owner: TestUser,
    visibility: Visibility = "public",
    more: Readonly<Record<string, unknown>> = {},
  ) {
    const body = { title: `Topic of ${owner.nickname}`, categoryId, visibility, ...more };
    return (await ok(201, z.object({ topic: shapes.topic }), owner, "POST", "/api/topics", body)).topic;
  }

  async function post(author: TestUser, topicId: string, more: Readonly<Record<string, unknown>> = {}) {
    const body = { title: "A title", content: "<p>Some words.</p>", ...more };
    const path = `/api/topics/${topicId}/posts`;
    return (await ok(201, z.object({ post: shapes.post }), author, "POST", path, body)).post;
  }

  async function comment(author: TestUser, postId: string, content = "A comment.") {
    const path = `/api/posts/${postId}/comments`;
    const body = { content };
    return (await ok(201, z.object({ comment: shapes.comment }), author, "POST", path, body)).comment;
  }

  /** Lets somebody in by the topic's invite code. */
  async function join(user: TestUser, code: string | null) {
    await ok(201, z.looseObject({ success: z.literal(true) }), user, "POST", `/api/topics/join/${code}`);
  }

  async function member(of: { readonly inviteCode: string | null }): Promise<TestUser> {
    const user = await person();
    await join(user, of.inviteCode);
    return user;
  }

  async function admin(owner: TestUser, of: { readonly id: string; readonly inviteCode: string | null }) {
    const user = await member(of);
    const body = { userId: user.userId, role: "admin" };
    await ok(200, z.looseObject({}), owner, "PATCH", `/api/topics/${of.id}/members`, body);
    return user;
  }

  /** A topic with an owner, an admin, a plain member, and a post of that member. */
  async function place(visibility: Visibility = "public", more: Readonly<Record<string, unknown>> = {}) {
    const owner = await person();
    const made = await topic(owner, visibility, more);
    const staff = await admin(owner, made);
    const plain = await member(made);
    const words = await post(plain, made.id);
    return { topic: made, owner, admin: staff, member: plain, post: words, outsider: await person() };
  }

  /** A workspace proof of this domain, as an accepted one leaves it behind. */
  const prove = (user: TestUser, domain: string) => verified(h, user, { domain, provider: "provider_a" });

  return {
    h,
    call,
    ok,
    refused,
    events,
    person,
    nameless,
    topic,
    post,
    comment,
    join,
    member,
    admin,
    place,
    prove,
    close: () => h.close(),
  };
}

export type World = Awaited<ReturnType<typeof createWorld>>;
