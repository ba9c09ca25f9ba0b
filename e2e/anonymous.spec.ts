import { expect, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { sessionCookieName } from "@/lib/session/cookie";
import {
  articleOf,
  button,
  comment,
  expectCrowd,
  gatedPlaceOf,
  join,
  type Place,
  proven,
} from "./support/crowd";
import { appOrigin, uniqueWord } from "./support/installation";
import { expectAccessible, expectContrast, expectNoSideways } from "./support/page-checks";
import { browserOf, person } from "./support/people";
import { test } from "./support/test";

/**
 * Writing without a name, from joining a gated topic and its crowd to being banned, with real proofs in the browser.
 */

/** Posts at once. @returns the post's address */
async function post(page: Page, topicId: string, title: string): Promise<string> {
  await page.goto(`/topics/${topicId}/new`);
  await button(page, t("anonymous.asNobody")).click();
  await page.getByLabel(t("composer.titleLabel")).fill(title);
  await page.getByLabel(t("anonymous.bodyLabel")).fill("The plan is **late**.\nBy a month.\n\n- & <more>");
  await page.getByLabel(t("anonymous.tags")).fill("#plans, Plans, late");
  await page.getByLabel(t("anonymous.pictures.label")).setInputFiles({
    ...{ name: "IMG_at_home.jpg", mimeType: "image/jpeg", buffer: await photograph(page) },
  });
  await page.getByLabel(t("anonymous.pictures.alt", { n: 1 })).fill("The plan");
  await page.getByLabel(t("anonymous.now")).check();
  await expectUsable(page);
  await button(page, t("anonymous.post")).click();
  const link = page.getByRole("link", { name: title }).first();
  await expect(link).toBeVisible(proven);
  await link.click();
  await page.waitForURL(/\/posts\//);
  return page.url();
}

/** A JPEG with a place in its metadata. */
async function photograph(page: Page): Promise<Buffer> {
  const drawn = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    canvas.width = 300;
    canvas.height = 200;
    const context = canvas.getContext("2d");
    if (context) context.fillStyle = "#a33";
    context?.fillRect(20, 20, 100, 100);
    return canvas.toDataURL("image/jpeg").split(",")[1];
  });
  const jpeg = Buffer.from(drawn ?? "", "base64");
  const place = Buffer.from("Exif\0\0GPS 52.5200 13.4050");
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0, place.length + 2]), place]);
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]);
}

/** Whether everybody can use the page. */
async function expectUsable(page: Page): Promise<void> {
  await expectAccessible(page);
  await expectContrast(page);
  const size = page.viewportSize();
  await expectNoSideways(page, 320);
  if (size) await page.setViewportSize(size);
}

/** A poll with secret ballots, from the composer to the recount. */
async function secretBallot({ topicId, page, staff }: Place, guest: Page): Promise<void> {
  await staff.goto(`/topics/${topicId}/new`);
  await staff.getByLabel(t("composer.titleLabel"), { exact: true }).fill(`The vote ${word}`);
  await staff.getByRole("textbox", { name: t("composer.bodyLabel") }).fill("Yes or no?");
  await staff.getByRole("button", { name: t("composer.addPoll") }).click();
  for (const [at, text] of ["Ship it", "Wait"].entries())
    await staff.getByRole("textbox", { name: t("composer.pollOption", { n: at + 1 }) }).fill(text);
  await staff.getByRole("checkbox", { name: t("composer.pollSecret") }).check();
  await button(staff, t("composer.post")).click();
  await staff.waitForURL(/\/posts\//);
  await page.goto(staff.url());
  for (const [tab, choice] of [
    [page, "Wait"],
    [staff, "Ship it"],
    // One changes their mind.
    [page, "Ship it"],
  ] as const) {
    if (tab === page && choice === "Ship it") await button(page, t("anonymous.ballot.change")).click();
    await tab.getByRole("radio", { name: choice }).check();
    await tab.getByLabel(t("anonymous.now")).check();
    await button(tab, t("anonymous.ballot.cast")).click();
    await expect(tab.getByText(t("anonymous.ballot.own", { choice }))).toBeVisible(proven);
  }
  await expectUsable(page);
  await guest.goto(staff.url());
  for (const tab of [page, guest])
    await expect(tab.getByText(t("poll.option", { text: "Ship it", percent: "100%", n: 2 }))).toBeAttached();
  await button(guest, t("anonymous.ballot.recount")).click();
  await expect(guest.getByText(t("anonymous.ballot.good", { n: 2 }))).toBeVisible(proven);
  // A ballot that is withheld is missed by the numbers, and by whoever cast it.
  await page.route("**/poll/ballots?*", async (route) => {
    const answer = await route.fetch();
    const { ballots } = await answer.json();
    await route.fulfill({ response: answer, json: { ballots: ballots.slice(1), nextCursor: null } });
  });
  await button(page, t("anonymous.ballot.recount")).click();
  const fault = t("anonymous.ballot.faults.count");
  await expect(page.getByText(t("anonymous.check.bad", { fault }))).toBeVisible(proven);
  await page.unroute("**/poll/ballots?*");
}

/** What this origin's databases and storage hold of anonymous selves. */
async function kept(page: Page): Promise<{ flag: string | null; secrets: number }> {
  return await page.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open("parley-anonymous");
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const secrets = await new Promise<number>((resolve) => {
      const counting = db.transaction("secrets").objectStore("secrets").count();
      counting.onsuccess = () => resolve(counting.result);
    });
    db.close();
    return { flag: localStorage.getItem("parley.anonymous"), secrets };
  });
}

// One author's story, whose parts each have their own time.
test.describe.configure({ mode: "serial", timeout: 120_000 });
const word = uniqueWord();
let place: Place;
/** What was said without a name. */
let address: string;
let pseudonym: string;

/** What the page says of the author's own. */
const listed = (page: Page, region: "anonymous.waiting.title" | "anonymous.own.title") =>
  page.getByRole("region", { name: t(region) }).getByRole("listitem");

test("a colleague joins a gated topic, and posts as one of the crowd @once", async ({ browser }) => {
  place = await gatedPlaceOf(browser, word);
  const { author, topicId, page, staff } = place;
  for (const tab of [staff, page]) await join(tab);
  await expectCrowd(place);

  // Nothing that names anyone goes with what is said without a name.
  const sent: { readonly act: string; readonly headers: Readonly<Record<string, string>> }[] = [];
  const bodies: string[] = [];
  page.on("request", async (request) => {
    const { pathname } = new URL(request.url());
    // Reading the post asks for its picture, whose address says "anonymous" too, like any reader's browser.
    if (!/\/anonymous(\/|\?|$)/.test(pathname) || request.resourceType() === "image") return;
    bodies.push(request.postData() ?? "");
    sent.push({
      act: `${request.method()} ${pathname.split("/").at(-1)}`,
      headers: await request.allHeaders(),
    });
  });
  address = await post(page, topicId, `What nobody says ${word}`);
  expect(sent.map(({ act }) => act)).toEqual(["GET anonymous", "POST pictures", "POST posts"]);
  // Neither the name of the picture's file nor its metadata leave the device.
  const place52 = Buffer.from("GPS 52.5200").toString("base64").slice(0, 12);
  for (const body of bodies)
    for (const canary of ["IMG_at_home", place52]) expect(body).not.toContain(canary);
  for (const { headers } of sent) {
    expect(Object.keys(headers)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(cookie|authorization|referer|traceparent)$/)]),
    );
  }
  const found = await author.api.call(contract.posts.get, { postId: address.split("/").at(-1) ?? "" });
  expect(found.post).toMatchObject({
    ...{ authorId: "anonymous", content: expect.stringContaining("<strong>late</strong>.<br") },
    ...{ tags: [{ name: "plans" }, { name: "late" }], anonymous: { crowd: 2, isAuthorOfPost: true } },
  });
  pseudonym = found.post.anonymous?.pseudonym ?? "";
});

test("the author comments later or at once, and deletes it; the device says what came since @once", async () => {
  const { owner, topicId, page } = place;
  const waiting = listed(page, "anonymous.waiting.title");
  // By default it waits for a random moment; it can be sent before, and discarded.
  await comment(page, `Later ${word}`, false);
  await expect(waiting).toContainText(`Later ${word}`);
  await page.reload();
  await expect(waiting).toContainText(`Later ${word}`);
  await button(page, t("anonymous.waiting.sendNow")).click();
  await expect(articleOf(page, `Later ${word}`)).toContainText(pseudonym, proven);
  await expect(waiting).toBeHidden();
  await comment(page, "Never said", false);
  await button(page, t("anonymous.waiting.discard")).click();
  await button(page, t("anonymous.waiting.discardSure")).click();
  await expect(waiting).toBeHidden();

  // This device knows what it wrote, and deletes it by a proof.
  const own = listed(page, "anonymous.own.title");
  await expect(own).toHaveCount(2);
  await own
    .filter({ hasText: `Later ${word}` })
    .getByRole("button")
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(t("anonymous.now")).check();
  await expectUsable(page);
  await dialog.getByRole("button", { name: t("common.delete"), exact: true }).click();
  await expect(page.getByText(t("post.commentDeleted"))).toBeVisible(proven);
  await expect(own).toHaveCount(1);
  // Where comments came since, it says from the list of the topic.
  const postId = address.split("/").at(-1) ?? "";
  await page.goto(`/topics/${topicId}`);
  await owner.api.call(contract.comments.create, { postId, content: `Really ${word}?` });
  await page.reload();
  const news = page.getByText(t("anonymous.replies.new", { n: 1 }));
  await expect(news).toBeVisible();
  await page.goto(address);
  await expect(own).toHaveCount(1);
  await page.goto(`/topics/${topicId}`);
  await expect(page.getByRole("link", { name: `What nobody says ${word}` }).first()).toBeVisible();
  await expect(news).toBeHidden();
});

test("a guest checks a post, and a poll with secret ballots @once", async ({ browser }) => {
  // A guest checks it in their own browser, as a post and as a letter; with another word it does not hold.
  const guest = await (await browser.newContext({ baseURL: new URL(address).origin })).newPage();
  await guest.goto(address);
  await button(guest, t("anonymous.check.act")).first().click();
  await expect(guest.getByText(t("anonymous.check.good", { n: 2 })).first()).toBeVisible(proven);
  const picture = guest.locator(`img[alt="The plan"]`);
  await expect.poll(() => picture.evaluate((node) => "naturalWidth" in node && node.naturalWidth)).toBe(300);
  await guest.getByRole("link", { name: t("anonymous.letter.open") }).click();
  await expect(guest.getByText(t("anonymous.letter.lacks"))).toBeVisible();
  await expectUsable(guest);
  await guest.route("**/api/posts/*/anonymous", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replace("a month", "a year") });
  });
  await button(guest, t("anonymous.check.act")).click();
  const fault = t("anonymous.check.faults.words");
  await expect(guest.getByText(t("anonymous.check.bad", { fault }))).toBeVisible(proven);

  await secretBallot(place, guest);
});

test("another device has the same self, is banned with it, and forgets it @once", async ({ browser }) => {
  const { author, topicId, page, staff } = place;
  const waiting = listed(page, "anonymous.waiting.title");
  const own = listed(page, "anonymous.own.title");
  const dialog = page.getByRole("dialog");
  // Another device, with the words of the first: the same self.
  await page.goto("/settings/anonymous");
  await button(page, t("anonymous.page.show")).click();
  const words = await page.getByRole("dialog").getByRole("listitem").allTextContents();
  expect(words).toHaveLength(24);
  await button(page, t("anonymous.page.wrote")).click();
  await expect(page.getByText(t("anonymous.page.saved"))).toBeVisible();
  // Or sealed, from one device to the other, which both show the same number.
  const phone = await (await browserOf(browser, author)).newPage();
  await phone.goto("/settings/anonymous");
  await button(phone, t("anonymous.handOver.act")).click();
  const shown = phone.getByRole("dialog");
  const link = await shown.getByText("#give=").textContent();
  const number = await shown.locator("output").textContent();
  await page.goto("/");
  await page.goto(link ?? "");
  await expect(page.getByRole("dialog").locator("output")).toHaveText(number ?? "none");
  expect(page.url()).not.toContain("give");
  await expectUsable(page);
  await button(page, t("anonymous.handOver.give")).click();
  await expect(phone.getByText(t("anonymous.page.unsaved"))).toBeVisible();
  await phone.context().close();
  const other = await (await browserOf(browser, author)).newPage();
  await other.goto(`/topics/${topicId}`);
  await other.getByRole("link", { name: t("anonymous.bring") }).click();
  await button(other, t("anonymous.page.restore")).click();
  const field = other.getByLabel(t("anonymous.page.restoreLabel"));
  await field.fill(words.with(5, "parley").join(" "));
  await button(other, t("anonymous.page.restoreAct")).click();
  await expect(other.getByText(t("anonymous.page.restoreWrong"))).toBeVisible();
  await field.fill(` ${words.join("  ").toUpperCase()}`);
  await button(other, t("anonymous.page.restoreAct")).click();
  await expect(other.getByText(t("anonymous.page.here"))).toBeVisible();
  await other.goto(address);
  await comment(other, `Elsewhere ${word}`);
  await expect(articleOf(other, `Elsewhere ${word}`)).toContainText(pseudonym, proven);

  // Staff bans whoever wrote it, on every device.
  await staff.goto(address);
  const tools = t("moderate.commentTools", { name: pseudonym });
  await articleOf(staff, `Elsewhere ${word}`).getByRole("button", { name: tools, exact: true }).click();
  await staff.getByRole("menuitem", { name: t("anonymous.ban.act") }).click();
  await staff.getByRole("dialog").getByLabel(t("reason.optional")).fill("Out of order.");
  await button(staff, t("anonymous.ban.confirm")).click();
  await expect(staff.getByText(t("anonymous.ban.done"))).toBeVisible();
  await page.goto(address);
  await comment(page, `Banned ${word}`);
  await expect(waiting).toContainText(t("anonymous.problems.anonymous_banned"), proven);

  // Staff see the ban, and lift it.
  await staff.goto(`/topics/${topicId}/members?show=sanctioned`);
  const bans = staff.getByRole("list", { name: t("anonymous.bans.title") });
  await expect(bans.getByRole("link", { name: t("anonymous.bans.text") })).toBeVisible();
  await expectUsable(staff);
  await bans.getByRole("button").click();
  await expect(bans).toBeHidden();
  await button(page, t("anonymous.waiting.sendNow")).click();
  await expect(articleOf(page, `Banned ${word}`)).toContainText(pseudonym, proven);

  // Whoever left writes no more, and still deletes what they wrote.
  await author.api.call(contract.topics.leave, { topicId });
  await page.reload();
  await expect(page.getByLabel(t("post.addComment"))).toBeHidden();
  await own
    .filter({ hasText: `Banned ${word}` })
    .getByRole("button")
    .click();
  await dialog.getByLabel(t("anonymous.now")).check();
  await dialog.getByRole("button", { name: t("common.delete"), exact: true }).click();
  await expect(articleOf(page, `Banned ${word}`)).toBeHidden(proven);

  // Whoever signs out is asked about the secret.
  expect(await kept(page)).toEqual({ flag: author.userId, secrets: 1 });
  await page.goto("/settings");
  await button(page, t("profile.signOut")).click();
  await button(page, t("anonymous.signOut.forget")).click();
  await page.waitForURL(/\/$/);
  await expect.poll(() => kept(page)).toEqual({ flag: null, secrets: 0 });

  // It goes with the account, too.
  expect(await kept(other)).toEqual({ flag: author.userId, secrets: 1 });
  const { token } = await person(author.nickname);
  await other.context().addCookies([{ name: sessionCookieName, value: token, url: appOrigin }]);
  await other.goto("/settings");
  await button(other, t("settings.delete")).click();
  await other.getByRole("dialog").getByRole("textbox").fill(author.nickname);
  await button(other, t("settings.deleteForGood")).click();
  await expect(other.getByText(t("settings.deleted"))).toBeVisible();
  await expect.poll(() => kept(other)).toEqual({ flag: null, secrets: 0 });
});
