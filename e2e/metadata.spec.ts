import { expect, test } from "@playwright/test";
import { contract } from "@/lib/contract";
import { sessionCookieName } from "@/lib/session/cookie";
import { appOrigin, deployment, uniqueWord } from "./support/installation";
import { type Person, person } from "./support/people";

/** What the built app tells machines of its pages: search engines, feed readers, link previews. */
const appUrl = deployment.services.appUrl;
let owner: Person;
const word = uniqueWord();
test.beforeAll(async () => {
  owner = await person(`meta_${word}`);
});

async function topic(visibility: "public" | "private" | "secret") {
  const { categories } = await owner.api.call(contract.categories.list, {});
  const made = await owner.api.call(contract.topics.create, {
    title: `${visibility} 이야기 "${word}" <b>`,
    description: "What this topic is about.",
    categoryId: categories[0]?.id ?? "",
    visibility,
  });
  const { post } = await owner.api.call(contract.posts.create, {
    topicId: made.topic.id,
    title: `A post of ${word}`,
    content: "<p>The first words of it.</p>",
  });
  return { topic: made.topic, post };
}

interface Head {
  readonly title: string;
  /** By `name` or `property`; only what stands once. */
  readonly meta: Record<string, string>;
  /** By rel and type. */
  readonly links: Record<string, string>;
  readonly status: number;
}

test("pages say what they are, and closed ones say nothing @once", async ({ browser }) => {
  const guest = await browser.newPage({ baseURL: appOrigin });
  const inside = await browser.newPage({ baseURL: appOrigin });
  await inside.context().addCookies([{ name: sessionCookieName, value: owner.token, url: appOrigin }]);

  /** As a preview's robot sees it: no script runs, and Next puts everything into the head for it. */
  async function headOf(path: string, who = guest): Promise<Head> {
    const answer = await who.request.get(path, { headers: { "user-agent": "Twitterbot/1.0" } });
    const html = await answer.text();
    const read = await who.evaluate((text) => {
      const page = new DOMParser().parseFromString(text, "text/html");
      const entries = (selector: string, key: (e: Element) => string, value: string) =>
        [...page.querySelectorAll(selector)].map((e) => [key(e), e.getAttribute(value) ?? ""] as const);
      return {
        title: page.title,
        meta: Object.fromEntries(
          entries(
            "meta[content]",
            (e) => e.getAttribute("name") ?? e.getAttribute("property") ?? "",
            "content",
          ),
        ),
        links: Object.fromEntries(
          entries(
            "link[href]",
            (e) => `${e.getAttribute("rel")} ${e.getAttribute("type") ?? ""}`.trim(),
            "href",
          ),
        ),
      };
    }, html);
    return { ...read, status: answer.status() };
  }

  const [open, closed, secret] = [await topic("public"), await topic("private"), await topic("secret")];

  const ofTopic = await headOf(`/topics/${open.topic.id}`);
  expect(ofTopic.title).toBe(`${open.topic.title} · Parley`);
  expect(ofTopic.meta).toMatchObject({
    description: "What this topic is about.",
    robots: "index, follow",
    "og:title": open.topic.title,
    "og:url": `${appUrl}/topics/${open.topic.id}`,
    "og:type": "website",
    "og:site_name": "Parley",
    "og:image:width": "1200",
    "twitter:card": "summary_large_image",
    "twitter:title": open.topic.title,
  });
  expect(ofTopic.links).toMatchObject({
    canonical: `${appUrl}/topics/${open.topic.id}`,
    "alternate application/rss+xml": `${appUrl}/topics/${open.topic.id}/feed.xml`,
    "alternate application/atom+xml": `${appUrl}/topics/${open.topic.id}/atom.xml`,
  });
  // Sorted and turned it is the same page.
  const sorted = await headOf(`/topics/${open.topic.id}?sort=new`, inside);
  expect(sorted.links.canonical).toBe(ofTopic.links.canonical);
  expect(sorted.meta["og:image"]).toBe(ofTopic.meta["og:image"]);

  const ofPost = await headOf(`/posts/${open.post.id}`);
  expect(ofPost.meta).toMatchObject({
    description: "The first words of it.",
    robots: "index, follow",
    "og:type": "article",
    "article:published_time": open.post.createdAt,
    "og:title": open.post.title,
  });
  expect(ofPost.links["alternate application/rss+xml"]).toBe(`${appUrl}/topics/${open.topic.id}/feed.xml`);

  // The pictures and feeds that heads name are there, and the pictures may be kept for ever.
  for (const [path, type] of [
    [ofTopic.meta["og:image"], "image/png"],
    [ofPost.meta["og:image"], "image/png"],
    [ofTopic.links["alternate application/rss+xml"], "application/rss+xml; charset=utf-8"],
    [`${appUrl}/atom.xml`, "application/atom+xml; charset=utf-8"],
    [`${appUrl}/sitemap.xml`, "application/xml; charset=utf-8"],
  ] as const) {
    const answer = await guest.request.get(path ?? "");
    expect(answer.status(), path).toBe(200);
    const headers = answer.headers();
    expect(headers["content-type"]).toBe(type);
    expect(headers["content-security-policy"]).toBe("default-src 'none'; sandbox");
    if (type === "image/png") expect(headers["cache-control"]).toBe("public, max-age=60");
    const again = await guest.request.get(path ?? "", { headers: { "if-none-match": headers.etag ?? "" } });
    expect(again.status(), path).toBe(304);
  }
  expect(await (await guest.request.get("/robots.txt")).text()).toContain(`Sitemap: ${appUrl}/sitemap.xml`);

  // A program finds the API from any page, and from where nothing is.
  for (const path of ["/", "/docs", "/api/nothing"]) {
    const { link = "" } = (await guest.request.get(path)).headers();
    expect(link, path).toContain('</api/docs/openapi.json>; rel="service-desc"');
    expect(link, path).toContain('</.well-known/api-catalog>; rel="api-catalog"');
  }

  for (const path of ["/", "/topics", "/about", "/how-it-works", "/privacy", "/terms", "/docs"]) {
    const head = await headOf(path);
    expect(head.meta.robots, path).toBe("index, follow");
    expect(head.meta["og:image"], path).toContain(`${appUrl}/cards/site?v=`);
    expect(head.links.canonical, path).toBe(path === "/" ? appUrl : `${appUrl}${path}`);
  }

  /** Nothing of it for search engines, and the picture of the site. */
  const expectClosed = (head: Head, what: string) => {
    expect(head.meta.robots, what).toMatch(/^noindex/);
    expect(head.meta["og:image"], what).toContain("/cards/site?v=");
    expect(head.links.canonical, what).toBeUndefined();
    expect(head.links["alternate application/rss+xml"], what).toBeUndefined();
    expect(JSON.stringify([head.meta, head.links]), what).not.toContain(word);
  };
  const topics = [closed, secret].flatMap(({ topic: { id }, post }) => [
    `/topics/${id}`,
    `/posts/${post.id}`,
  ]);
  for (const path of topics) {
    expectClosed(await headOf(path), `${path} for a guest`);
    expectClosed(await headOf(path, inside), `${path} for a member`);
  }
  for (const path of [
    `/topics/${open.topic.id}/members`,
    `/topics/${open.topic.id}/chat`,
    "/profile",
    "/write",
    "/alerts",
    "/topics/new",
  ]) {
    expectClosed(await headOf(path, inside), path);
  }
  expectClosed(await headOf("/sign-in"), "/sign-in");
  expectClosed(await headOf(`/invite/${closed.topic.inviteCode}`), "an invite");
  // A guest cannot tell a secret topic from one that never was.
  const [hidden, missing] = [
    await headOf(`/topics/${secret.topic.id}`),
    await headOf("/topics/00000000-0000-4000-8000-000000000000"),
  ];
  expect(hidden).toEqual(missing);
});
