import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import robots from "@/app/robots";
import { seededCategories } from "@/db/seeded-categories";
import { addTo, gate, makePost, makeTopic, signIn } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { elements, readXml, textOf } from "@/lib/testing/xml";
import { sitemap, sitemapPart } from "./sitemap";

/** What machines are told of the community: all of what is open, and of the rest not even that it is there. */
let h: Harness;
let owner: TestUser;
let member: TestUser;

const site = "http://localhost:3000";
interface Place {
  readonly topicId: string;
  readonly postId: string;
}
let open: Place;
let gated: Place;
/** Every id that a guest may not read, by what it is. */
const closed = new Map<string, Place>();
let extra: Record<"hidden" | "deleted" | "pinned" | "hostile", string>;

const hostile = `</title>]]>]]><script>alert("1")</script> & &amp; \u0007 \u202e 한국어 ماذا 🧵`;

beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  member = await signIn(h, "member");
  const place = async (visibility: "public" | "private" | "secret", title: string): Promise<Place> => {
    const topic = await makeTopic(owner, visibility, title);
    await addTo(h.db, topic.id, member);
    return { topicId: topic.id, postId: (await makePost(member, topic.id, `In ${title}`)).id };
  };
  open = await place("public", "Open");
  gated = await place("public", "Gated");
  await gate(h.db, gated.topicId, "country", { countries: ["FR", "KR"] });
  closed.set("private", await place("private", "Private"));
  const gatedPrivate = await place("private", "Private and gated");
  await gate(h.db, gatedPrivate.topicId, "kyc");
  closed.set("private and gated", gatedPrivate);
  closed.set("secret", await place("secret", "Secret"));
  const gone = await place("public", "Gone");
  await owner.api.call(contract.topics.delete, { topicId: gone.topicId });
  closed.set("deleted", gone);
  closed.set("missing", { topicId: randomUUID(), postId: randomUUID() });
  closed.set("no id", { topicId: "nothing", postId: "nothing" });
  const [hidden, deleted, pinned] = [
    await makePost(member, open.topicId, "Hidden"),
    await makePost(member, open.topicId, "Deleted"),
    await makePost(member, open.topicId, "Pinned"),
  ];
  await owner.api.call(contract.moderation.hidePost, { postId: hidden.id, hidden: true });
  await member.api.call(contract.posts.delete, { postId: deleted.id });
  await owner.api.call(contract.posts.pin, { postId: pinned.id });
  const { post } = await member.api.call(contract.posts.create, {
    topicId: open.topicId,
    title: hostile,
    content: "<p>&lt;img src=x onerror=alert(1)&gt; ]]> ]]&gt; &amp;amp;</p>",
    tags: ["a & b", "한국"],
  });
  extra = { hidden: hidden.id, deleted: deleted.id, pinned: pinned.id, hostile: post.id };
});
afterAll(() => h.close());

interface Got {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  readonly text: string;
}

async function get(path: string, headers: Record<string, string> = {}): Promise<Got> {
  const response = await h.fetch(new Request(new URL(path, site), { headers }));
  const body = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body,
    text: body.toString(),
  };
}

const closedPosts = () => [...closed.values(), { postId: extra.hidden }, { postId: extra.deleted }];

/** No closed topic's or post's id occurs, and no title of one. */
function expectSilent(text: string): void {
  for (const { topicId } of closed.values()) if (topicId !== "nothing") expect(text).not.toContain(topicId);
  for (const { postId } of closedPosts()) if (postId !== "nothing") expect(text).not.toContain(postId);
  expect(text).not.toMatch(/Private|Secret|Gone|Hidden|Deleted/);
}

const locations = (text: string) => elements(readXml(text), "loc").map((loc) => loc.text);

describe("sitemap", () => {
  it("lists what is open, and nothing else", async () => {
    const { status, headers, text } = await get("/sitemap.xml");
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/xml; charset=utf-8");
    expectSilent(text);
    const posts = [open.postId, gated.postId, extra.pinned, extra.hostile];
    expect(new Set(locations(text))).toEqual(
      new Set([
        ...["/", "/topics", "/about", "/how-it-works", "/privacy", "/terms", "/docs"].map(
          (path) => `${site}${path}`,
        ),
        ...[open.topicId, gated.topicId].map((id) => `${site}/topics/${id}`),
        ...posts.map((id) => `${site}/posts/${id}`),
      ]),
    );
    const entry = elements(readXml(text), "url").find((url) => textOf(url, "loc")?.endsWith(open.postId));
    const { post } = await h.guest.call(contract.posts.get, { postId: open.postId });
    expect(entry && textOf(entry, "lastmod")).toBe(post.updatedAt);
  });

  it("becomes a list of parts when there is much, which hold the same", async () => {
    const ctx = { db: h.db, deployment: h.services.deployment };
    await crowd();
    const whole = locations(String((await sitemap(ctx)).body));
    const index = String((await sitemap(ctx, 100)).body);
    expect(readXml(index).name).toBe("sitemapindex");
    const parts = locations(index).map((address) => address.replace(`${site}/sitemaps/`, ""));
    expect(parts.length).toBeGreaterThan(10);
    const found: string[] = [];
    for (const part of parts) {
      const { status, text } = await get(`/sitemaps/${part}`);
      expect(status).toBe(200);
      expectSilent(text);
      found.push(...locations(text));
    }
    expect(found.toSorted()).toEqual(whole.toSorted());
    expect(whole.length).toBeGreaterThan(600);
  });

  it.each(["nothing", "posts-g", "posts-00000", "topics-", "../posts", "posts-A"])(
    "has no part %s",
    async (part) => {
      expect(await sitemapPart({ db: h.db, deployment: h.services.deployment }, part)).toBeNull();
    },
  );

  /** Enough posts for several parts, with ids spread as chance spreads them. */
  async function crowd() {
    const now = new Date();
    await h.db
      .insertInto("posts")
      .values(
        Array.from({ length: 600 }, (_, i) => ({
          id: `${(i % 256).toString(16).padStart(2, "0")}${randomUUID().slice(2)}`,
          topic_id: open.topicId,
          author_id: member.userId,
          is_public: true,
          category_id: seededCategories[0]?.id ?? null,
          title: "One of many",
          content: "<p>c</p>",
          summary: "c",
          media: JSON.stringify({ images: [], videos: [] }),
          score: 0,
          last_activity_at: now,
          updated_at: now,
          // Before everything else, so that feeds do not show them.
          created_at: new Date(0),
        })),
      )
      .execute();
  }
});

describe("robots", () => {
  it("name the sitemap, keep crawlers from the API but not from its documents, and name no topic", async () => {
    const { rules, sitemap: address } = await h.run(() => robots());
    expect(address).toBe(`${site}/sitemap.xml`);
    expect(rules).toMatchObject({
      userAgent: "*",
      allow: expect.arrayContaining(["/api/docs/"]),
      disallow: ["/api/"],
    });
    expectSilent(JSON.stringify({ rules, address }));
  });
});

const formats = ["feed", "atom"] as const;

describe.each(formats)("%s.xml", (format) => {
  const item = format === "feed" ? "item" : "entry";

  it("of the site has the open posts, the latest first", async () => {
    const { status, headers, text } = await get(`/${format}.xml`);
    expect(status).toBe(200);
    expect(headers["content-type"]).toMatch(
      format === "feed" ? /^application\/rss\+xml/ : /^application\/atom\+xml/,
    );
    expectSilent(text);
    const ids = elements(readXml(text), item).map((post) => textOf(post, format === "feed" ? "guid" : "id"));
    expect(ids.slice(0, 4)).toEqual(
      [extra.hostile, extra.pinned, gated.postId, open.postId].map((id) => `urn:uuid:${id}`),
    );
  });

  it("of a topic has its own posts by time, pinned ones too", async () => {
    const { text } = await get(`/topics/${open.topicId}/${format}.xml`);
    expectSilent(text);
    const posts = elements(readXml(text), item);
    expect(posts.slice(0, 3).map((post) => textOf(post, format === "feed" ? "guid" : "id"))).toEqual(
      [extra.hostile, extra.pinned, open.postId].map((id) => `urn:uuid:${id}`),
    );
    expect(text).toContain(`${site}/topics/${open.topicId}/${format}.xml`);
  });

  it("says a hostile title and text as they are, and as nothing else", async () => {
    const { text } = await get(`/topics/${open.topicId}/${format}.xml`);
    const [post] = elements(readXml(text), item);
    expect(elements(readXml(text), "script")).toEqual([]);
    const { post: stored } = await h.guest.call(contract.posts.get, { postId: extra.hostile });
    if (!post) throw new Error("no post");
    // A bell cannot stand in XML; the rest can.
    expect(textOf(post, "title")).toBe(stored.title.replace("\u0007", ""));
    const said = textOf(post, format === "feed" ? "description" : "summary");
    expect(stored.summary).toBe("<img src=x onerror=alert(1)> ]]> ]]> &amp;");
    expect(said).toBe(
      format === "feed" ? "&lt;img src=x onerror=alert(1)&gt; ]]&gt; ]]&gt; &amp;amp;" : stored.summary,
    );
    const categories = elements(post, "category").map((tag) => tag.attributes.term ?? tag.text);
    expect(categories).toEqual(stored.tags.map(({ name }) => name));
  });

  it("is not sent again to whoever has it", async () => {
    const path = `/topics/${gated.topicId}/${format}.xml`;
    const { headers } = await get(path);
    expect(headers["cache-control"]).toBe("public, max-age=60");
    const etag = headers.etag ?? "";
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      expect(await get(path, { "if-none-match": known })).toMatchObject({ status: 304, text: "" });
    }
    expect((await get(path, { "if-none-match": '"other"' })).status).toBe(200);
    const modified = headers["last-modified"] ?? "";
    expect((await get(path, { "if-modified-since": modified })).status).toBe(304);
    const past = new Date(Date.parse(modified) - 1_000).toUTCString();
    expect((await get(path, { "if-modified-since": past })).status).toBe(200);
    // A tag that does not fit outweighs a date that does.
    const both = { "if-none-match": '"other"', "if-modified-since": modified };
    expect((await get(path, both)).status).toBe(200);
    const { headers: again } = await get(path, { "if-none-match": etag });
    expect(again).toMatchObject({
      etag,
      "cache-control": headers["cache-control"],
      "last-modified": modified,
    });
  });

  it("answers for everything that is closed exactly as for what is not there", async () => {
    const missing = await get(`/topics/${randomUUID()}/${format}.xml`);
    expect(missing.status).toBe(404);
    for (const { topicId } of closed.values()) {
      const path = `/topics/${topicId}/${format}.xml`;
      expect(await get(path)).toEqual(missing);
      // A feed reader has no session, and one that a browser sends along changes nothing.
      expect(await get(path, { authorization: `Bearer ${member.token}` })).toEqual(missing);
      expect(await get(path, { cookie: `zk-community-session=${member.token}` })).toEqual(missing);
    }
  });
});

describe("the address of a member's own feed", () => {
  it("has titles and texts of what is open only, says so of the rest, and is kept by no cache", async () => {
    const reader = await signIn(h, "reader");
    const privatePlace = closed.get("private");
    for (const topicId of [open.topicId, privatePlace?.topicId ?? ""]) await addTo(h.db, topicId, reader);
    const { url } = await reader.api.call(contract.my.makeFeed, {});
    const { pathname } = new URL(url);
    const { status, headers, text } = await get(pathname);
    expect(status).toBe(200);
    expect(headers["cache-control"]).toBe("no-store");
    expect(text).not.toContain(pathname.split("/")[2]);
    const items = elements(readXml(text), "item");
    const titleOf = (id: string) => {
      const item = items.find((one) => textOf(one, "guid") === `urn:uuid:${id}`);
      return item && [textOf(item, "title"), textOf(item, "dc:creator")];
    };
    expect(titleOf(open.postId)).toEqual(["In Open", member.nickname]);
    expect(titleOf(privatePlace?.postId ?? "")).toEqual(["New in one of your topics", "Someone"]);
    expect(text).not.toContain("In Private");
    await reader.api.call(contract.my.endFeed, {});
    const ended = await get(pathname);
    expect([ended.status, ended.text]).toEqual([404, (await get(`/feeds/${"a".repeat(43)}/feed.xml`)).text]);
    await reader.api.call(contract.topics.leave, { topicId: open.topicId });
    await reader.api.call(contract.topics.leave, { topicId: privatePlace?.topicId ?? "" });
  });
});

describe("search/feed.xml", () => {
  const found = (text: string) => elements(readXml(text), "item").map((post) => textOf(post, "guid"));

  it("has the open posts that a search finds, the latest first, and its own address", async () => {
    const { status, headers, text } = await get("/search/feed.xml?q=In");
    expect(status).toBe(200);
    expect(headers["content-type"]).toMatch(/^application\/rss\+xml/);
    expectSilent(text);
    expect(found(text)).toEqual([gated.postId, open.postId].map((id) => `urn:uuid:${id}`));
    expect(text).toContain(`${site}/search/feed.xml?q=In`);
    expect(text).toContain(`${site}/search?q=In`);
  });

  it("has what is new, however many older posts are found by their title", async () => {
    const topic = await makeTopic(owner, "public", "Gulls");
    for (let n = 0; n < 31; n += 1) await makePost(owner, topic.id, `Gulls ${n}`);
    const { id } = await makePost(owner, topic.id, "What I heard", "<p>It was gulls.</p>");
    const ids = found((await get(`/search/feed.xml?q=gulls&topic=${topic.id}`)).text);
    expect([ids[0], ids.length]).toEqual([`urn:uuid:${id}`, 30]);
  });

  it("keeps to an author and a topic", async () => {
    const { text } = await get(`/search/feed.xml?q=In&author=${member.nickname}&topic=${open.topicId}`);
    expect(found(text)).toEqual([`urn:uuid:${open.postId}`]);
    expect(found((await get("/search/feed.xml?q=In&author=nobody_here")).text)).toEqual([]);
  });

  it("answers for a closed topic as for none, and for an address without a search as for no page", async () => {
    const missing = await get(`/search/feed.xml?q=In&topic=${randomUUID()}`);
    expect(missing.status).toBe(404);
    for (const { topicId } of closed.values()) {
      const path = `/search/feed.xml?q=In&topic=${topicId}`;
      expect(await get(path)).toEqual(missing);
      expect(await get(path, { cookie: `zk-community-session=${member.token}` })).toEqual(missing);
    }
    expect(await get("/search/feed.xml")).toEqual(missing);
    expect(await get(`/search/feed.xml?q=${"x".repeat(201)}`)).toEqual(missing);
  });
});

it("an address may ask so often", async () => {
  const limited = await createHarness({ env: { RATE_LIMITS: "on" } });
  const ask = async () => await limited.fetch(new Request(`${site}/feed.xml`));
  for (let i = 0; i < 120; i += 1) expect((await ask()).status).toBe(200);
  const refused = await ask();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  await limited.close();
});
