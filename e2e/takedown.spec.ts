import { randomBytes } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import sharp from "sharp";
import { picturesCache } from "@/lib/client/saved";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { kept } from "./support/copies";
import { appOrigin, uniqueWord } from "./support/installation";
import { browserOf, type Person, person, topicOf } from "./support/people";
import { test } from "./support/test";

test.use({ serviceWorkers: "allow" });

/** What operators take down leaves the devices that kept it for reading offline. */

const word = uniqueWord();
const SIZE = 64;

/** Uploads a picture that nobody else has: its bytes are refused once they are taken down. @returns its address */
async function upload({ token }: Person): Promise<string> {
  const background = `#${randomBytes(3).toString("hex")}`;
  const bytes = await sharp({ create: { width: SIZE, height: SIZE, channels: 3, background } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.set("file", new File([new Uint8Array(bytes)], "a.png", { type: "image/png" }));
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${appOrigin}/api/upload`, { method: "POST", headers, body: form });
  const answer = contract.uploads.create.responses[201].parse(await response.json());
  return answer.publicUrl;
}

const copies = (page: Page) =>
  page.evaluate(async (name) => {
    const keys = await (await caches.open(name)).keys();
    return keys.map(({ url }) => url);
  }, picturesCache);

test("a picture that is taken down leaves a device that kept it, and what is offline says so", {
  tag: "@once",
}, async ({ browser }) => {
  const [author, reader, operator] = [
    await person(`down_a_${word}`),
    await person(`down_r_${word}`),
    await person(`down_o_${word}`, undefined, "operator"),
  ];
  const topicId = await topicOf(author, `Pictures ${word}`, [reader]);
  const address = await upload(author);
  const { post } = await author.api.call(contract.posts.create, {
    topicId,
    title: `A picture ${word}`,
    content: `<p>See.</p><img src="${address}" alt="A square">`,
  });
  const path = `/posts/${post.id}`;

  const context = await browserOf(browser, reader);
  const page = await context.newPage();
  await page.goto(path);
  await kept(page, path);
  // The worker, which controls the page now, keeps the picture as it passes.
  await page.reload();
  await expect.poll(() => copies(page)).toContain(new URL(address, appOrigin).href);
  await context.setOffline(true);
  await page.goto(path);
  const picture = page.getByRole("main").getByAltText("A square");
  const widthOf = () =>
    picture.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0));
  await expect.poll(widthOf).toBe(SIZE);
  await context.setOffline(false);

  await reader.api.call(contract.moderation.reportPost, { postId: post.id, reason: "illegal" });
  const { reports } = await operator.api.call(contract.desk.reports, { topicId });
  await operator.api.call(contract.desk.decide, {
    reportId: reports[0]?.id ?? "",
    action: "resolve",
    reason: "Illegal picture.",
    act: "take_files_down",
  });

  // A worker asks twice a minute (lib/worker/pictures.test.ts); one that the browser has stopped asks with its next page.
  const browserSession = await context.newCDPSession(page);
  await browserSession.send("ServiceWorker.enable");
  await browserSession.send("ServiceWorker.stopAllWorkers");
  await page.goto("/");
  await expect.poll(() => copies(page)).toEqual([]);
  // The browser's own cache gives it up after a minute (lib/community/desk/drill.api.test.ts), for which this does not wait.
  await browserSession.send("Network.clearBrowserCache");
  await browserSession.send("Network.setCacheDisabled", { cacheDisabled: true });
  await context.setOffline(true);
  await page.goto(path);
  await expect(page.getByRole("heading", { name: post.title, level: 1 })).toBeVisible();
  await expect(page.getByRole("main").getByText(t("gallery.gone"))).toBeVisible();
  await expect(picture).toHaveCount(0);
  await context.close();
});
