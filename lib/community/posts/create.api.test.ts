import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { isSafeHtml, xssPayloads } from "@/lib/html/testing";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { postScore } from "../scores";
import { addTo, makeTopic, signIn } from "../testing";

let h: Harness;
let owner: TestUser;
let topicId: string;
beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  topicId = (await makeTopic(owner)).id;
});
afterAll(() => h.close());

const basics = { title: "A post", content: "<p>Words.</p>" };

async function post(body: unknown, token: string | undefined = owner.token) {
  const answer = await h.send("POST", `/api/topics/${topicId}/posts`, { token, body });
  const { code, field } = Object(answer.body);
  return { status: answer.status, code, field, post: Object(answer.body).post };
}

describe("201", () => {
  it("fills every field of the post", async () => {
    const made = await post({ title: " A post ", content: "<h1>Hello</h1><p>you &amp; me</p>" });
    expect(made.status).toBe(201);
    expect(made.post).toEqual({
      id: expect.any(String),
      topicId,
      topicTitle: "A topic",
      authorId: owner.userId,
      title: "A post",
      content: "<h2>Hello</h2><p>you &amp; me</p>",
      summary: "Hello you & me",
      upvoteCount: 0,
      viewCount: 0,
      commentCount: 0,
      score: postScore(0, new Date(made.post.createdAt)),
      isPinned: false,
      createdAt: expect.any(String),
      updatedAt: made.post.createdAt,
      authorNickname: owner.nickname,
      authorProfileImage: null,
      anonymous: null,
      automated: false,
      authorDomains: [],
      userVoted: null,
      tags: [],
      media: { images: [], videos: [] },
      mentions: [],
      poll: null,
      reactions: [],
      recordCount: 0,
      isDeleted: false,
      isHidden: false,
      isFolded: false,
      deletedAt: null,
      userBookmarked: false,
      userRecorded: false,
      abilities: ["write", "bookmark", "report", "edit", "delete", "hide", "pin"],
    });
  });

  it("counts in the topic, moves its activity and its score", async () => {
    const topic = await makeTopic(owner);
    const before = Date.now();
    await owner.api.call(contract.posts.create, { topicId: topic.id, ...basics });
    await h.idle();
    const after = (await h.guest.call(contract.topics.get, { topicId: topic.id })).topic;
    expect(after.postCount).toBe(1);
    expect(Date.parse(after.lastActivityAt)).toBeGreaterThanOrEqual(before);
    // 2 members' points, 3 for the post, 10 for a new topic.
    expect(after.score).toBeCloseTo(15, 3);
  });

  it("creates tags once, in the order written, and counts them", async () => {
    const tags = ["Zero Knowledge", "한국어", "zero-knowledge"];
    const first = await post({ ...basics, tags });
    expect(first.post.tags).toEqual([
      { name: "Zero Knowledge", slug: "zero-knowledge" },
      { name: "한국어", slug: "한국어" },
    ]);
    const second = await post({ ...basics, tags: ["ZERO KNOWLEDGE"] });
    expect(second.post.tags).toEqual([{ name: "ZERO KNOWLEDGE", slug: "zero-knowledge" }]);
    const rows = await h.db
      .selectFrom("tags")
      .select(["slug", "public_post_count"])
      .orderBy("public_post_count")
      .execute();
    expect(rows).toEqual([
      { slug: "한국어", public_post_count: 1 },
      { slug: "zero-knowledge", public_post_count: 2 },
    ]);
  });

  it("carries media and a poll", async () => {
    const closesAt = "2999-01-01T00:00:00.000Z";
    const media = { images: ["https://example.com/a.png"], videos: ["https://youtu.be/abc"] };
    const poll = { question: "Which?", options: ["A", "B"], multipleChoice: true, closesAt };
    const made = await post({ ...basics, media, poll });
    expect(made.post.media).toEqual(media);
    expect(made.post.poll).toEqual({
      id: expect.any(String),
      postId: made.post.id,
      question: "Which?",
      multipleChoice: true,
      closesAt,
      options: [
        { id: expect.any(String), text: "A", position: 0, voteCount: 0 },
        { id: expect.any(String), text: "B", position: 1, voteCount: 0 },
      ],
      totalVotes: 0,
      userVotedOptionIds: [],
      isClosed: false,
      secret: null,
    });
    expect((await post({ ...basics, poll: { options: ["A", "B"] } })).post.poll).toMatchObject({
      question: null,
      multipleChoice: false,
      closesAt: null,
      isClosed: false,
    });
  });

  it("accepts 50,000 characters of HTML", async () => {
    const made = await post({ ...basics, content: "x".repeat(50_000) });
    expect(made.post.content).toHaveLength(50_000);
  });

  it("is open to members and admins of every kind of topic", async () => {
    for (const visibility of ["public", "private", "secret"] as const) {
      const topic = await makeTopic(owner, visibility);
      for (const role of ["member", "admin"] as const) {
        const user = await signIn(h);
        await addTo(h.db, topic.id, user, role);
        const { post } = await user.api.call(contract.posts.create, { topicId: topic.id, ...basics });
        expect(post.authorNickname).toBe(user.nickname);
      }
    }
  });
});

describe("400", () => {
  const future = "2999-01-01T00:00:00Z";
  it.each([
    ["no title", { content: "<p>x</p>" }, "title"],
    ["a title of 201 characters", { ...basics, title: "x".repeat(201) }, "title"],
    ["no content", { title: "x" }, "content"],
    ["content of 50,001 characters", { ...basics, content: "x".repeat(50_001) }, "content"],
    ["content that is longer once it is safe", { ...basics, content: "&".repeat(20_000) }, "content"],
    ["very much content", { ...basics, content: "<p>x</p>".repeat(100_000) }, "content"],
    ["nothing left of the content", { ...basics, content: "<script>alert(1)</script>" }, "content"],
    ["white space only", { ...basics, content: "<p>&nbsp;</p><p><br></p>" }, "content"],
    [
      "an image inside the text",
      { ...basics, content: '<p>x</p><img src="data:image/png;base64,AA==">' },
      "content",
    ],
    ["six tags", { ...basics, tags: ["a", "b", "c", "d", "e", "f"] }, "tags"],
    ["a tag without letters", { ...basics, tags: ["a", "!!!"] }, "tags.1"],
    ["a tag of 51 characters", { ...basics, tags: ["x".repeat(51)] }, "tags.0"],
    [
      "an image that is not https",
      { ...basics, media: { images: ["http://a.example/a.png"] } },
      "media.images.0",
    ],
    ["a video from elsewhere", { ...basics, media: { videos: ["https://a.example/v"] } }, "media.videos.0"],
    ["a poll with one option", { ...basics, poll: { options: ["A"] } }, "poll.options"],
    ["a poll with an empty option", { ...basics, poll: { options: ["A", " "] } }, "poll.options.1"],
    [
      "a poll that closed",
      { ...basics, poll: { options: ["A", "B"], closesAt: "2020-01-01T00:00:00Z" } },
      "poll.closesAt",
    ],
  ])("%s", async (_, body, field) => {
    expect(await post(body)).toMatchObject({ status: 400, field });
  });

  it("stores nothing of a refused post", async () => {
    const count = () => h.db.selectFrom("tags").select("slug").where("slug", "=", "left-behind").execute();
    await post({ ...basics, tags: ["left behind", "!!!"], poll: { options: ["A", "B"], closesAt: future } });
    expect(await count()).toEqual([]);
  });
});

// The post is one transaction: the last failure reverts everything.
it("leaves neither post nor counts behind when its poll cannot be written", async () => {
  const topic = await makeTopic(owner);
  const seen = async () => ({
    posts: await h.db.selectFrom("posts").select("id").where("topic_id", "=", topic.id).execute(),
    tags: await h.db.selectFrom("tags").select("slug").where("slug", "=", "atomic").execute(),
    topic: await h.db.selectFrom("topics").select("post_count").where("id", "=", topic.id).execute(),
  });
  const before = await seen();
  await h.db.schema.alterTable("poll_options").renameTo("poll_options_away").execute();
  try {
    const body = { ...basics, tags: ["atomic"], poll: { options: ["A", "B"] } };
    const answer = await h.send("POST", `/api/topics/${topic.id}/posts`, { token: owner.token, body });
    expect(answer).toMatchObject({ status: 500, body: { code: "internal" } });
  } finally {
    await h.db.schema.alterTable("poll_options_away").renameTo("poll_options").execute();
  }
  expect(await seen()).toEqual(before);
});

describe("script payloads", () => {
  it.each(xssPayloads)("%s", async (payload) => {
    const made = await post({
      title: payload.slice(0, 200),
      content: `<p>before</p>${payload}`,
      tags: ["x"],
    });
    // Refused as a whole, or stored as harmless HTML beside a title that is text.
    if (made.status === 400) {
      expect(payload).toMatch(/data:/i);
      return;
    }
    expect(made.status).toBe(201);
    expect(isSafeHtml(made.post.content), made.post.content).toBe(true);
    expect(made.post.title).toBe(payload.trim());
    const { post: read } = await h.guest.call(contract.posts.get, { postId: made.post.id });
    expect([read.title, read.content]).toEqual([made.post.title, made.post.content]);
    // Comments are plain text and are returned as written.
    const { comment } = await owner.api.call(contract.comments.create, {
      postId: made.post.id,
      content: payload,
    });
    expect(comment.content).toBe(payload.trim());
  });
});
