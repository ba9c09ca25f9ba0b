import { expect } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { apiClient } from "@/scripts/stack/member";
import { deployment, uniqueWord } from "./support/installation";
import { expectAccessible, expectContrast, expectNoSideways } from "./support/page-checks";
import { pageOf, person, topicOf } from "./support/people";
import { test } from "./support/test";

/** A token for automation: made and shown once, used by a program, seen by readers, and revoked. */

test("a token is made for one topic, what a program writes with it is marked, and it is revoked", async ({
  browser,
}) => {
  const word = uniqueWord();
  const owner = await person(`owner_${word}`);
  const topicId = await topicOf(owner, `Bots ${word}`, []);
  const page = await pageOf(browser, owner, "/settings/tokens");
  await expect(page.getByText(t("tokens.noneTitle"))).toBeVisible();
  const make = page.getByRole("button", { name: t("tokens.make"), exact: true });
  await make.click();
  const dialog = page.getByRole("dialog", { name: t("tokens.make") });
  const confirm = dialog.getByRole("button", { name: t("tokens.make"), exact: true });
  await confirm.click();
  await expect(dialog.getByRole("alert")).toContainText(t("tokens.nameMissing"));
  await dialog.getByLabel(t("tokens.name"), { exact: true }).fill("Release notes");
  await dialog.getByRole("checkbox", { name: t("tokens.scopes.write") }).check();
  await dialog.getByLabel(t("showDomain.where"), { exact: true }).selectOption({ label: `Bots ${word}` });
  await dialog.getByLabel(t("tokens.cap"), { exact: true }).fill("0.50");
  await expectAccessible(page);
  await expectContrast(page);
  await confirm.click();
  const shown = page.getByLabel(t("tokens.token"), { exact: true });
  await expect(shown).toHaveValue(/^parley_[\w-]{43}$/);
  const token = await shown.inputValue();
  const row = page.getByRole("listitem").filter({ hasText: "Release notes" });
  await expect(row).toContainText(t("tokens.onlyIn", { topics: `Bots ${word}` }));
  await expect(row).toContainText(t("tokens.spent", { spent: "0.00", cap: "0.50" }));
  await expectAccessible(page);
  await expectContrast(page);
  const size = page.viewportSize();
  await expectNoSideways(page, 320);
  if (size) await page.setViewportSize(size);

  const program = apiClient(deployment, token);
  const { post } = await program.call(contract.posts.create, {
    topicId,
    title: `By a program ${word}`,
    content: "<p>Released.</p>",
  });
  await program.call(contract.comments.create, { postId: post.id, content: "Also by a program." });
  const reader = await pageOf(browser, await person(`reader_${word}`), `/topics/${topicId}`);
  await expect(reader.getByRole("article").getByTitle(t("common.automatedBy"))).toBeVisible();
  await reader.getByRole("link", { name: `By a program ${word}` }).click();
  await reader.waitForURL(/\/posts\//);
  await expect(reader.getByTitle(t("common.automatedBy"))).toHaveCount(2);
  await expectAccessible(reader);

  // It is not shown again.
  await page.reload();
  await expect(row).toBeVisible();
  await expect(shown).toHaveCount(0);
  await row.getByRole("button", { name: t("tokens.revokeOne", { name: "Release notes" }) }).click();
  await expect(page.getByText(t("tokens.revoked", { name: "Release notes" }))).toBeVisible();
  await expect(row).toHaveCount(0);
  await expect(program.call(contract.posts.get, { postId: post.id })).rejects.toMatchObject({ status: 401 });
});

test("without a recent proof a token is not made, and the way to one leads back @once", async ({
  browser,
}) => {
  const owner = await person(`stale_${uniqueWord()}`, 10 * 60 + 1);
  const page = await pageOf(browser, owner, "/settings/tokens");
  const make = page.getByRole("button", { name: t("tokens.make"), exact: true });
  await make.click();
  const dialog = page.getByRole("dialog", { name: t("tokens.make") });
  await dialog.getByLabel(t("tokens.name"), { exact: true }).fill("Too late");
  await dialog.getByRole("button", { name: t("tokens.make"), exact: true }).click();
  await expect(dialog.getByRole("alert")).toContainText(t("proveAgain.title"));
  await expect(dialog.getByRole("link", { name: t("proveAgain.button") })).toHaveAttribute(
    "href",
    `/sign-in?${new URLSearchParams({ again: "1", next: "/settings/tokens" })}`,
  );
});
