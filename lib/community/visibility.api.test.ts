import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Visibility } from "@/db/schema/community";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, gate, makePost, makeTopic, signIn } from "./testing";

/**
 * The answer for every operation on a topic or post × caller × kind of topic. A gate changes
 * who may enter, not what is shown, so gated topics behave like their visibility.
 */
const whos = ["guest", "noNickname", "outsider", "member", "admin", "owner"] as const;
type Who = (typeof whos)[number];
const kinds = ["public", "private", "secret", "gated", "absent"] as const;
type Kind = (typeof kinds)[number];

type Operation = readonly [name: string, method: string, path: (at: Place) => string, body?: unknown];
interface Place {
  readonly topicId: string;
  readonly postId: string;
}

const getTopic: Operation = ["get topic", "GET", (at) => `/api/topics/${at.topicId}`];
const listPosts: Operation = ["list posts", "GET", (at) => `/api/topics/${at.topicId}/posts`];
const getPost: Operation = ["get post", "GET", (at) => `/api/posts/${at.postId}`];
const join: Operation = ["join", "POST", (at) => `/api/topics/${at.topicId}/join`, {}];
const createPost: Operation = [
  "create post",
  "POST",
  (at) => `/api/topics/${at.topicId}/posts`,
  { title: "t", content: "<p>c</p>" },
];
const comment: Operation = ["comment", "POST", (at) => `/api/posts/${at.postId}/comments`, { content: "c" }];
const listReactions: Operation = ["reactions", "GET", (at) => `/api/posts/${at.postId}/reactions`];
const react: Operation = [
  "react",
  "POST",
  (at) => `/api/posts/${at.postId}/reactions`,
  { emoji: "\u{1F525}" },
];
const listTags: Operation = ["tags", "GET", (at) => `/api/tags?topicId=${at.topicId}`];
const getBookmark: Operation = ["get bookmark", "GET", (at) => `/api/posts/${at.postId}/bookmark`];
const bookmark: Operation = ["bookmark", "POST", (at) => `/api/posts/${at.postId}/bookmark`];
const vote: Operation = ["vote", "POST", (at) => `/api/posts/${at.postId}/vote`, { value: 1 }];

const noSession = "401 not_authenticated";
const noTopic = "404 topic_not_found";
const noPost = "404 post_not_found";
const notMember = "403 not_a_member";
const nickname = "403 nickname_required";

/** Answers by kind, for guest, noNickname, outsider; members of every role get the last one. */
type Row = readonly [guest: string, noNickname: string, outsider: string, member: string];
const expected: readonly (readonly [Operation, Record<Kind, Row>])[] = [
  [
    getTopic,
    {
      public: ["200", "200", "200", "200"],
      gated: ["200", "200", "200", "200"],
      private: ["200", "200", "200", "200"],
      secret: [noTopic, "403 topic_secret", "403 topic_secret", "200"],
      absent: [noTopic, noTopic, noTopic, noTopic],
    },
  ],
  [listPosts, reads(noTopic)],
  [listTags, reads(noTopic)],
  [getPost, reads(noPost)],
  [listReactions, reads(noPost)],
  [
    getBookmark,
    {
      public: [noSession, "200", "200", "200"],
      gated: [noSession, "200", "200", "200"],
      private: [noSession, notMember, notMember, "200"],
      secret: [noSession, notMember, notMember, "200"],
      absent: [noSession, noPost, noPost, noPost],
    },
  ],
  [createPost, writes(noTopic, "201")],
  [comment, writes(noPost, "201")],
  [vote, writes(noPost, "200")],
  [react, writes(noPost, "200")],
  [bookmark, writes(noPost, "200")],
  // Last, since it changes who is a member.
  [
    join,
    {
      public: [noSession, nickname, "201", "409 already_member"],
      gated: [noSession, nickname, "402 proof_required", "409 already_member"],
      private: [noSession, nickname, "202", "409 already_member"],
      secret: [noSession, nickname, "403 topic_secret", "409 already_member"],
      absent: [noSession, nickname, noTopic, noTopic],
    },
  ],
];

/** Posts and what is under them are for those who may read the topic's content. */
function reads(absent: string): Record<Kind, Row> {
  return {
    public: ["200", "200", "200", "200"],
    gated: ["200", "200", "200", "200"],
    private: [noSession, notMember, notMember, "200"],
    secret: [absent, notMember, notMember, "200"],
    absent: [absent, absent, absent, absent],
  };
}

/** Writing needs membership, whatever the visibility. */
function writes(absent: string, done: string): Record<Kind, Row> {
  const row: Row = [noSession, nickname, notMember, done];
  return {
    public: row,
    gated: row,
    private: row,
    secret: row,
    absent: [noSession, nickname, absent, absent],
  };
}

function answerOf(row: Row, who: Who): string {
  const column = { guest: 0, noNickname: 1, outsider: 2, member: 3, admin: 3, owner: 3 } as const;
  return row[column[who]];
}

let h: Harness;
const users = new Map<Who, TestUser>();
const places = new Map<Kind, Place>();

beforeAll(async () => {
  h = await createHarness();
  for (const who of ["outsider", "member", "admin", "owner"] as const) users.set(who, await signIn(h, who));
  users.set("noNickname", await h.login());
  const owner = users.get("owner") ?? expect.fail();
  for (const kind of ["public", "private", "secret", "gated"] as const) {
    const visibility: Visibility = kind === "gated" ? "public" : kind;
    const topic = await makeTopic(owner, visibility);
    const post = await makePost(owner, topic.id);
    for (const who of ["member", "admin"] as const) {
      await addTo(h.db, topic.id, users.get(who) ?? expect.fail(), who);
    }
    if (kind === "gated") await gate(h.db, topic.id, "workspace", { domain: "example.com" });
    places.set(kind, { topicId: topic.id, postId: post.id });
  }
  places.set("absent", { topicId: randomUUID(), postId: randomUUID() });
});
afterAll(() => h.close());

async function ask([, method, path, body]: Operation, kind: Kind, who: Who) {
  const place = places.get(kind) ?? expect.fail();
  return await h.send(method, path(place), { token: users.get(who)?.token, body });
}

describe("visibility", () => {
  const cells = expected.flatMap(([operation, rows]) =>
    kinds.flatMap((kind) => whos.map((who) => [operation[0], kind, who, operation, rows[kind]] as const)),
  );
  it.each(cells)("%s, %s topic, %s", async (_, kind, who, operation, row) => {
    const { status, body } = await ask(operation, kind, who);
    const { code } = Object(body);
    expect([status, code].filter((part) => part !== undefined).join(" ")).toBe(answerOf(row, who));
  });

  // The guarantee behind 404: a guest cannot tell a hidden topic from none by anything but the request id.
  it.each(expected.map(([operation]) => [operation[0], operation] as const))(
    "%s tells a guest nothing about a secret topic",
    async (_, operation) => {
      const hidden = await ask(operation, "secret", "guest");
      const absent = await ask(operation, "absent", "guest");
      expect(Object(hidden.body)).toEqual({
        ...Object(absent.body),
        requestId: expect.any(String),
      });
      const names = (headers: Headers) => [...headers.keys()].sort();
      expect(names(hidden.headers)).toEqual(names(absent.headers));
    },
  );

  it("shows invite codes to members, and to everyone for public topics only", async () => {
    for (const kind of ["public", "private", "secret"] as const) {
      for (const who of ["guest", "noNickname", "member"] as const) {
        const { status, body } = await ask(getTopic, kind, who);
        if (status !== 200) continue;
        const shown = kind === "public" || who === "member";
        expect(Object(body).topic.inviteCode, `${kind} ${who}`).toEqual(shown ? expect.any(String) : null);
      }
    }
  });
});
