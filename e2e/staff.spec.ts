import { expect, type Locator, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { uniqueWord } from "./support/installation";
import { expectAccessible } from "./support/page-checks";
import { browserOf, type Person, pageOf, person, topicOf } from "./support/people";
import { test } from "./support/test";

/** What the staff of a topic do, and what those it concerns see of it. (With the network cut: network.spec.ts.) */

const word = uniqueWord();
let ada: Person;
let bela: Person;
let carl: Person;
let topicId: string;
const title = `The reading desk ${word}`;

test.beforeAll(async () => {
  [ada, bela, carl] = [
    await person(`ada_${word}`),
    await person(`bela_${word}`),
    await person(`carl_${word}`),
  ];
  topicId = await topicOf(ada, title, [bela, carl]);
});

const button = (page: Page | Locator, name: string) => page.getByRole("button", { name, exact: true });
const rowOf = (page: Page, { nickname }: Person) => page.getByRole("listitem").filter({ hasText: nickname });
const said = (page: Page, sentence: string) =>
  expect(page.getByRole("region", { name: t("common.messages") }).getByText(sentence)).toBeVisible();

/** Chooses an act from the menu beside somebody. */
async function choose(page: Page, who: Person, act: string): Promise<void> {
  await button(page, t("staff.manage", { name: who.nickname })).click();
  await page.getByRole("menuitem", { name: act, exact: true }).click();
}

test("roles, mutes and the topic itself are given and taken back, and a refusal is taken at its word @long", async ({
  browser,
}) => {
  const page = await pageOf(browser, ada, `/topics/${topicId}/members`);
  const admin = rowOf(page, bela).getByText(t("topic.admin"), { exact: true });
  await choose(page, bela, t("staff.promote"));
  await said(page, t("staff.roleSet", { name: bela.nickname, role: "admin" }));
  await expect(admin).toBeVisible();
  // What can be done to her is there again once the page has been read anew.
  await button(page, t("staff.manage", { name: bela.nickname })).click();
  await expect(page.getByRole("menuitem", { name: t("staff.demote"), exact: true })).toBeVisible();
  await page.keyboard.press("Escape");

  // Somebody who has gone meanwhile: the server says so, and the row goes.
  await carl.api.call(contract.topics.leave, { topicId });
  await choose(page, carl, t("staff.promote"));
  await said(page, "This user is not a member of the topic.");
  await expect(rowOf(page, carl)).toHaveCount(0);
  await carl.api.call(contract.topics.join, { topicId });
  await page.reload();

  await choose(page, carl, t("staff.mute"));
  const dialog = page.getByRole("dialog", { name: t("staff.muteTitle", { name: carl.nickname }) });
  await button(dialog, t("staff.muteConfirm")).click();
  await expect(dialog.getByText(t("reason.needed"))).toBeVisible();
  await dialog.getByLabel(t("reason.template")).selectOption(t("reason.templates.repeated"));
  await expectAccessible(page);
  await expect(dialog.getByLabel(t("reason.label"), { exact: true })).toHaveValue(
    t("reason.templates.repeated"),
  );
  await button(dialog, t("staff.muteConfirm")).click();
  await said(page, t("staff.mutedNow", { name: carl.nickname }));

  const muted = await pageOf(browser, carl, `/topics/${topicId}`);
  await expect(muted.getByText(t("membership.mutedTitle"))).toBeVisible();
  await expect(muted.getByText(t("reason.templates.repeated"))).toBeVisible();
  await expect(muted.getByRole("link", { name: t("topic.write") })).toHaveCount(0);

  await page.getByRole("link", { name: t("staff.sanctioned") }).click();
  await button(page, t("staff.unmuteOf", { name: carl.nickname })).click();
  await said(page, t("staff.liftedMute", { name: carl.nickname }));
  await expect(page.getByRole("heading", { name: t("staff.sanctionsEmptyTitle") })).toBeVisible();
  await muted.reload();
  await expect(muted.getByRole("link", { name: t("topic.write") }).first()).toBeVisible();
  await muted.context().close();

  await page.getByRole("link", { name: t("staff.everybody"), exact: true }).click();
  await choose(page, bela, t("staff.transfer"));
  const hand = page.getByRole("dialog", { name: t("staff.transferTitle", { name: bela.nickname }) });
  await button(hand, t("staff.transfer")).click();
  await said(page, t("staff.transferred", { name: bela.nickname }));
  await expect(page.getByText(t("offer.byMe", { name: bela.nickname }))).toBeVisible();
  await expectAccessible(page);

  const heir = await pageOf(browser, bela, `/topics/${topicId}/members`);
  await expect(heir.getByText(t("offer.toMe", { name: ada.nickname }))).toBeVisible();
  await button(heir, t("offer.accept")).click();
  await said(heir, t("offer.done.accept"));
  await expect(rowOf(heir, bela).getByText(t("topic.owner"), { exact: true })).toBeVisible();
  await heir.context().close();
  await page.reload();
  await expect(rowOf(page, bela).getByText(t("topic.owner"), { exact: true })).toBeVisible();
  // An admin can only note something about the owner, and report a nickname or picture like everyone.
  await button(page, t("staff.manage", { name: bela.nickname })).click();
  await expect(page.getByRole("menuitem")).toHaveText([
    t("staff.notes"),
    t("report.profile", { name: bela.nickname }),
  ]);
  await page.context().close();
  await bela.api.call(contract.members.setRole, { topicId, userId: ada.userId, role: "owner" });
});

test("requests are answered by keyboard; one a colleague was faster with leaves all the same @once", async ({
  browser,
}) => {
  const { categories } = await ada.api.call(contract.categories.list, {});
  const { topic } = await ada.api.call(contract.topics.create, {
    title: `A closed circle ${word}`,
    categoryId: categories[0]?.id ?? "",
    visibility: "private",
  });
  for (const { api } of [bela, carl]) await api.call(contract.topics.join, { topicId: topic.id });
  const asker = await pageOf(browser, bela, `/topics/${topic.id}`);
  await expect(asker.getByText(t("topic.pendingTitle")).filter({ visible: true })).toHaveCount(1);

  const page = await pageOf(browser, ada, `/topics/${topic.id}/requests`);
  await expect(page.getByRole("link", { name: `${t("topic.requests")} 2` })).toBeVisible();
  const approve = button(page, t("requests.approveOf", { name: bela.nickname }));
  await expect(approve).toBeVisible();
  await approve.focus();
  await page.keyboard.press("Enter");
  await said(page, t("requests.approved", { name: bela.nickname }));
  await expect(approve).toHaveCount(0);
  // The keyboard goes on in the list.
  await expect(page.getByRole("list", { name: t("requests.title") })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(button(page, t("requests.approveOf", { name: carl.nickname }))).toBeFocused();

  await asker.reload();
  await expect(asker.getByRole("link", { name: t("topic.write") }).first()).toBeVisible();
  await asker.context().close();

  const { requests } = await ada.api.call(contract.requests.list, { topicId: topic.id });
  await ada.api.call(contract.requests.decide, {
    topicId: topic.id,
    requestId: requests[0]?.id ?? "",
    action: "reject",
  });
  await page.keyboard.press("Enter");
  await said(page, "This join request was already answered.");
  await expect(page.getByRole("heading", { name: t("requests.emptyTitle") })).toBeVisible();
  await page.context().close();

  // Who was shut out reads that when they try, and until when.
  await ada.api.call(contract.moderation.sanction, {
    topicId: topic.id,
    userId: carl.userId,
    kind: "ban",
    reason: "Asked too loudly.",
    until: new Date(Date.now() + 3 * 86_400_000).toISOString(),
  });
  const banned = await pageOf(browser, carl, `/topics/${topic.id}/join`);
  await button(banned, t("topic.ask")).click();
  await expect(banned.getByRole("alert").getByText(t("membership.bannedTitle"))).toBeVisible();
  await expect(banned.getByText(/until \w+,? \d+ \w+/)).toBeVisible();
  await banned.context().close();
});

test("a report reaches the staff, what it is about is hidden and shown again, and the log tells it", async ({
  browser,
}) => {
  const { post } = await bela.api.call(contract.posts.create, {
    topicId,
    title: `Buy my lamps ${word}`,
    content: "<p>Cheap lamps.</p>",
  });
  const { comment } = await carl.api.call(contract.comments.create, {
    postId: post.id,
    content: `Nobody asked for lamps ${word}`,
  });
  const reporter = await pageOf(browser, carl, `/posts/${post.id}`);
  const tools = button(reporter, t("moderate.tools"));
  await tools.click();
  await expect(reporter.getByRole("menuitem", { name: t("common.hide"), exact: true })).toHaveCount(0);
  await reporter.getByRole("menuitem", { name: t("report.post") }).click();
  const dialog = reporter.getByRole("dialog", { name: t("report.post") });
  await dialog.getByLabel(t("report.details")).fill("The third one today.");
  await expectAccessible(reporter);
  await button(dialog, t("report.send")).click();
  await said(reporter, t("report.sent"));

  const page = await pageOf(browser, ada, `/topics/${topicId}/reports`);
  const card = page.getByRole("article").filter({ hasText: post.title });
  await expect(card).toContainText("The third one today.");
  await button(card, t("queue.otherReason")).click();
  await page.getByRole("menuitem", { name: t("queue.ownReason") }).click();
  const hide = page.getByRole("dialog", { name: t("queue.dialogs.hide.title") });
  await hide.getByLabel(t("reason.optional")).fill("Not here.");
  await button(hide, t("queue.dialogs.hide.confirm")).click();
  await expect(page.getByText(t("queue.done.hide", { name: post.title }))).toBeVisible();
  await expect(page.getByRole("heading", { name: t("reports.emptyTitle") })).toBeVisible();

  await reporter.reload();
  await expect(reporter.getByText(t("moderate.hiddenPostOther"))).toBeVisible();
  await expect(reporter.getByText("Cheap lamps.")).toHaveCount(0);

  await page.goto(`/posts/${post.id}`);
  await expect(page.getByText(t("moderate.hiddenPostStaff"))).toBeVisible();
  await button(page, t("moderate.tools")).click();
  await page.getByRole("menuitem", { name: t("moderate.show") }).click();
  await said(page, t("moderate.shown"));
  await expect(page.getByText(t("moderate.hiddenPostTitle"))).toHaveCount(0);
  await button(page, t("moderate.tools")).click();
  await page.getByRole("menuitem", { name: t("moderate.pin") }).click();
  await said(page, t("moderate.pinned"));

  // A comment, where it stands.
  const below = page.locator(`#comment-${comment.id}`);
  await button(below, t("moderate.commentTools", { name: carl.nickname })).click();
  await page.getByRole("menuitem", { name: t("common.hide"), exact: true }).click();
  await button(page.getByRole("dialog"), t("common.hide")).click();
  await expect(below.getByText(t("common.hidden"), { exact: true })).toBeVisible();
  await expect(below).toContainText(comment.content);
  // Somebody outside, who may read a public topic.
  const reader = await pageOf(browser, await person(`dora_${word}`), `/posts/${post.id}`);
  await expect(reader.locator(`#comment-${comment.id}`)).toContainText(t("moderate.hiddenComment"));
  await reader.context().close();

  await reporter.goto(`/topics/${topicId}/log`);
  const log = reporter.getByRole("list", { name: t("log.list") }).getByRole("listitem");
  const [actor, subject] = [ada.nickname, bela.nickname];
  await expect(log.nth(0)).toContainText(
    t("log.sentences.comment_hidden", { actor, subject: carl.nickname }),
  );
  await expect(log.nth(1)).toContainText(t("log.sentences.post_pinned", { actor, subject }));
  await expect(log.nth(2)).toContainText(t("log.sentences.post_shown", { actor, subject }));
  await expect(log.nth(3)).toContainText(t("log.sentences.post_hidden", { actor, subject }));
  await expect(log.nth(3)).toContainText("Not here.");
  await expect(log.nth(4)).toContainText(t("log.sentences.report_resolved", { actor, n: 1 }));
  await reporter.context().close();
  await page.context().close();
});

test("a topic gets its picture and name, people are let in by a link, and its end is typed @once @long", async ({
  browser,
}) => {
  const place = await topicOf(ada, `Before ${word}`, [bela]);
  const owner = await browserOf(browser, ada);
  await owner.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await owner.newPage();
  await page.goto(`/topics/${place}/edit`);
  const name = page.getByLabel(t("newTopic.name"));
  await name.fill(`After ${word}`);
  for (const kind of ["picture", "banner"] as const) {
    const field = page.getByRole("group", { name: t(`editTopic.${kind}`), exact: true });
    await field.getByLabel(t("editTopic.choosePicture")).last().setInputFiles(picture);
    await expect(button(field, t("editTopic.otherPicture"))).toBeVisible();
  }
  await button(page, t("common.saveChanges")).click();
  await said(page, t("editTopic.saved"));
  const { topic } = await bela.api.call(contract.topics.get, { topicId: place });
  const upload = expect.stringMatching(/\/uploads\//);
  expect([topic.title, topic.image, topic.banner]).toEqual([`After ${word}`, upload, upload]);
  await page.goto(`/topics/${place}`);
  const across = page.locator(`header img[src="${topic.banner}"]`);
  await expect
    .poll(() => across.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);

  await page.goto(`/topics/${place}/invites`);
  await expect(page.getByText(topic.inviteCode ?? "")).toBeVisible();
  await button(page, t("invites.renew")).click();
  await said(page, t("invites.renewed"));
  await expect(page.getByText(topic.inviteCode ?? "")).toHaveCount(0);
  await button(page, t("invites.create")).click();
  const fresh = page.getByRole("list", { name: t("invites.fresh") }).getByRole("listitem");
  const link = await fresh.getByLabel(t("invites.link")).inputValue();
  await button(fresh, t("common.copyLink")).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await button(fresh, t("invites.showQr")).click();
  await expect(fresh.getByRole("img", { name: t("invites.qr") })).toBeVisible();

  // Who is not signed in sees the topic too, and signing in says what it is for.
  const stranger = await browser.newPage();
  await stranger.goto(link);
  await expect(stranger.getByRole("heading", { name: topic.title })).toBeVisible();
  await stranger.getByRole("link", { name: t("invite.signIn") }).click();
  await expect(stranger.getByText(t("signIn.toJoinOpen", { topic: topic.title }))).toBeVisible();

  const guest = await pageOf(browser, carl, new URL(link).pathname);
  await button(guest, t("common.joinTopic")).click();
  await expect(guest).toHaveURL(new RegExp(`/topics/${place}$`));
  await stranger.goto(link);
  await expect(stranger.getByRole("heading", { name: t("invite.badTitle") })).toBeVisible();
  await stranger.close();
  await guest.goto(`/topics/${place}?tab=about`);
  await button(guest, t("membership.leave")).click();
  const leave = guest.getByRole("dialog", { name: t("membership.leaveTitle", { name: topic.title }) });
  await expect(leave).toContainText(t("membership.leavePublic"));
  await button(leave, t("membership.leave")).click();
  await expect(
    guest.getByRole("button", { name: t("common.joinTopic") }).filter({ visible: true }),
  ).toHaveCount(1);
  await guest.context().close();

  await page.goto(`/topics/${place}/edit`);
  await button(page, t("editTopic.delete")).click();
  const end = page.getByRole("dialog", { name: t("editTopic.delete") });
  await button(end, t("editTopic.deleteConfirm")).click();
  await expect(end.getByRole("alert")).toContainText(topic.title);
  await end.getByLabel(t("editTopic.deleteType", { title: topic.title })).fill(topic.title);
  await button(end, t("editTopic.deleteConfirm")).click();
  await expect(page).toHaveURL(/\/topics$/);
  await expect(bela.api.call(contract.topics.get, { topicId: place })).rejects.toMatchObject({
    code: "topic_not_found",
  });
  await owner.close();
});

/** One pixel. */
const picture = {
  name: "desk.png",
  mimeType: "image/png",
  buffer: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
    "base64",
  ),
};
