import { readFile } from "node:fs/promises";
import { type BrowserContext, expect } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { appOrigin, uniqueWord } from "./support/installation";
import { collectProblems, expectAccessible, expectNoSideways } from "./support/page-checks";
import { person, topicOf } from "./support/people";
import { test } from "./support/test";

const far =
  "https://example.com/a-page?of=some&length=with-an-address-that-has-no-place-to-break-and-goes-on";

async function post(): Promise<string> {
  const author = await person(`extras_${uniqueWord()}`);
  const topicId = await topicOf(author, "Links and videos", []);
  const { post } = await author.api.call(contract.posts.create, {
    topicId,
    title: "Something to follow and something to watch",
    content: `<p>Words with <a href="https://example.org/">a link</a> in them.</p><p><a href="${far.replaceAll("&", "&amp;")}">${far.replaceAll("&", "&amp;")}</a></p><p><img src="https://pictures.example/text.png?reader=1&amp;b=2" alt="In the text" width="192" height="192"></p><ol start="3"><li>third</li></ol><table><tr><td colspan="2">wide</td></tr></table>`,
    media: {
      images: ["https://pictures.example/attached.png"],
      videos: ["https://www.youtube.com/watch?v=aqz-KE-bpKQ", "https://vimeo.com/1084537"],
    },
  });
  return `/posts/${post.id}`;
}

/** There is no network: what would be asked of it is noted, and answered with a page. */
async function noteOutside(context: BrowserContext): Promise<readonly string[]> {
  const outside: string[] = [];
  await context.route(
    (url) => url.origin !== appOrigin,
    async (route) => {
      outside.push(route.request().url());
      await route.fulfill({ contentType: "text/html", body: "<p>player</p>" });
    },
  );
  return outside;
}

test("a link is a card of one size, and a video is loaded by whoever plays it @once", async ({
  page,
  context,
}) => {
  const path = await post();
  const outside = await noteOutside(context);
  let answer: () => void = () => undefined;
  const asked = new Promise<void>((done) => {
    answer = done;
  });
  await page.route(/\/api\/og\?/, async (route) => {
    await asked;
    await route.fulfill({
      json: {
        title: "제목이 있는 페이지",
        description: "What it says of itself. ".repeat(20),
        image: "https://example.com/gone.png",
        siteName: "Your bank",
        favicon: "",
        url: "https://example.com/",
      },
    });
  });
  await page.route(/\/api\/og\/image/, (route) => route.fulfill({ status: 502 }));
  const problems = collectProblems(page);
  await page.goto(path);

  const cards = page.getByRole("list", { name: t("post.links") }).getByRole("link");
  await expect(cards).toHaveCount(1);
  const card = cards.first();
  await expect(card).toContainText("example.com");
  await expect(card).toContainText("/a-page?of=some");
  await card.scrollIntoViewIfNeeded();
  const before = await card.boundingBox();
  answer();
  await expect(card).toContainText("제목이 있는 페이지");
  // A broken picture gives way, and whose page it is, is not the page's to say.
  await expect(card.locator("img")).toHaveCount(0);
  await expect(card).not.toContainText("Your bank");
  expect(await card.boundingBox()).toEqual(before);
  expect(outside).toEqual([]);

  const youtube = page.getByRole("link", { name: t("video.play", { site: "YouTube" }) });
  const vimeo = page.getByRole("link", { name: t("video.play", { site: "Vimeo" }) });
  await expect(youtube).toHaveAttribute("href", "https://www.youtube.com/watch?v=aqz-KE-bpKQ");
  // Nor does a picture that failed before the page was ready leave a hole.
  await expect(youtube.locator("img")).toHaveCount(0);
  await expectAccessible(page);
  await youtube.scrollIntoViewIfNeeded();
  const size = await youtube.boundingBox();
  await youtube.focus();
  await page.keyboard.press("Enter");
  const player = page.locator("iframe");
  await expect(player).toHaveAttribute("src", /^https:\/\/www\.youtube-nocookie\.com\/embed\/aqz-KE-bpKQ\?/);
  await expect(player).toBeFocused();
  await expect(player.contentFrame().getByText("player")).toBeVisible();
  expect(await player.boundingBox()).toEqual(size);
  expect(outside.map((url) => new URL(url).host)).toEqual(["www.youtube-nocookie.com"]);

  // The broken pictures of this test. Without a network a browser complains of much that is as it should be.
  expect(problems.filter((problem) => !problem.includes("/api/og/image"))).toEqual([]);
  await context.setOffline(true);
  await vimeo.click();
  await expect(page.getByRole("status").filter({ hasText: t("video.offline") })).toBeVisible();
  await context.setOffline(false);
  await vimeo.click();
  await expect(page.locator("iframe").nth(1)).toHaveAttribute(
    "src",
    /^https:\/\/player\.vimeo\.com\/video\/1084537\?dnt=1/,
  );

  await expectNoSideways(page, 320);
});

test("a link to a page that says nothing of itself becomes one line @once", async ({ page, context }) => {
  const path = await post();
  await noteOutside(context);
  await page.route(/\/api\/og\?/, (route) => route.fulfill({ status: 502 }));
  await page.goto(path);
  const card = page.getByRole("list", { name: t("post.links") }).getByRole("link");
  await card.scrollIntoViewIfNeeded();
  await expect.poll(async () => (await card.boundingBox())?.height ?? 0).toBeLessThan(48);
  await expect(card).toContainText("example.com/a-page?of=some");
  await expectNoSideways(page, 320);
});

test("without JavaScript cards and videos are links @once", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: appOrigin });
  const page = await context.newPage();
  await page.goto(await post());
  await expect(page.getByRole("list", { name: t("post.links") }).getByRole("link")).toHaveAttribute(
    "href",
    far,
  );
  await expect(page.getByRole("link", { name: t("video.play", { site: "Vimeo" }) })).toHaveAttribute(
    "href",
    "https://vimeo.com/1084537",
  );
  await context.close();
});

test("pictures from elsewhere come through this site: theirs learns nothing of the reader @once", async ({
  page,
  context,
}) => {
  const path = await post();
  const outside = await noteOutside(context);
  const asked: (string | null)[] = [];
  await page.route(/\/api\/og\/image/, async (route) => {
    asked.push(new URL(route.request().url()).searchParams.get("src"));
    await route.fulfill({ contentType: "image/png", body: await readFile("public/icons/seal-192.png") });
  });
  await page.addInitScript(() => {
    new MutationObserver((changes) => {
      const wasTaken = changes.some(
        ({ target, removedNodes }) =>
          target instanceof Element && target.closest(".prose-post") && removedNodes.length > 0,
      );
      if (wasTaken) console.error("The text was written a second time.");
    }).observe(document, { childList: true, subtree: true });
  });
  await page.route(/\/api\/og\?/, (route) =>
    route.fulfill({ json: { title: "", description: "", image: "", siteName: "", favicon: "", url: far } }),
  );
  const problems = collectProblems(page);
  await page.goto(path);
  const inText = page.getByRole("button", { name: t("gallery.open", { name: "In the text" }) });
  const attached = page.getByRole("img", { name: t("post.image", { n: 1 }) });
  for (const picture of [inText, attached]) await expect(picture).toHaveJSProperty("naturalWidth", 192);
  // The server wrote the page so, and the browser's own sanitiser left it at that.
  expect(await (await page.request.get(path)).text()).not.toMatch(/<img[^>]+src="https?:/);
  await inText.click();
  const large = page.getByRole("dialog", { name: t("gallery.label") });
  await expect(large.getByRole("img")).toHaveJSProperty("naturalWidth", 192);
  await expect(large.getByRole("link")).toHaveAttribute("href", /\/api\/og\/image\?/);
  await page.keyboard.press("Escape");

  await page.goto("/?sort=new");
  const row = page.getByRole("article").filter({ has: page.locator(`a[href="${path}"]`) });
  await expect(row.locator("img[loading=lazy]").last()).toHaveJSProperty("naturalWidth", 192);

  expect(outside).toEqual([]);
  expect(asked).toContain("https://pictures.example/text.png?reader=1&b=2");
  expect(asked).toContain("https://pictures.example/attached.png");
  expect(problems).toEqual([]);
});
