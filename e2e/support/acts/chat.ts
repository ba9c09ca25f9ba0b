import { expect, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import type { Person } from "../people";
import { type Act, roomOf, type Stage } from "./act";
import { button, inDialog, said } from "./topics";

const reason = t("reason.templates.repeated");
const log = (page: Page) => page.getByRole("log", { name: t("chat.log") });
const text = (words: string) => (page: Page) => log(page).getByText(words, { exact: true });
const tools = ({ nickname }: Person) => button(t("chat.tools", { name: nickname }));
const fire = (page: Page) => button(t("reaction.chip", { name: t("reaction.names.fire"), n: 1 }))(log(page));

/** Chooses an entry of the only message's menu. */
const choose = (author: Person, act: string) => async (page: Page) => {
  await tools(author)(page).click();
  await page
    .getByRole("menuitem", { name: act, exact: true })
    .or(page.getByRole("menuitemcheckbox", { name: act, exact: true }))
    .click();
};

/** A chat with a message of the room's member, and what is done to it. */
const act = (
  name: string,
  operation: string,
  stageOf: (scene: {
    owner: Person;
    member: Person;
    messageId: string;
  }) => Omit<Stage, "path"> | Promise<Omit<Stage, "path">>,
): Act => ({
  name,
  operations: [operation],
  arrange: async (word) => {
    const { owner, member, topicId } = await roomOf(word);
    const { message } = await member.api.call(contract.chat.send, { topicId, message: "Cheap lamps" });
    const stage = await stageOf({ owner, member, messageId: message.id });
    return {
      ...stage,
      path: `/topics/${topicId}/chat`,
      open: async (page) => {
        await expect(page.getByText(t("chat.states.live"), { exact: true })).toBeVisible();
        await stage.open?.(page);
      },
    };
  },
});

/** What members and staff do with chat messages. (Sending is in chat.spec.ts.) */
export const chatActs: readonly Act[] = [
  act("editing a chat message", "chat.update", ({ member }) => {
    const field = (page: Page) => page.getByRole("textbox", { name: t("chat.editLabel") });
    return {
      who: member,
      open: async (page) => {
        await choose(member, t("own.edit"))(page);
        await field(page).fill("Fine lamps");
      },
      button: button(t("common.save")),
      call: { method: "PATCH", path: /\/api\/chat\/[^/]+$/ },
      pending: (page) => expect(log(page).getByText("Fine lamps")).toBeVisible(),
      kept: (page) => expect(field(page)).toHaveValue("Fine lamps"),
      done: async (page) => {
        await expect(log(page).getByText(`(${t("post.edited")})`)).toBeVisible();
        await expect(field(page)).toHaveCount(0);
      },
    };
  }),
  act("deleting a chat message", "chat.delete", ({ owner, member }) => ({
    who: owner,
    open: async (page) => {
      await choose(member, t("common.delete"))(page);
      await page.getByLabel(t("reason.template")).selectOption(reason);
    },
    button: inDialog(t("common.delete")),
    call: { method: "DELETE", path: /\/api\/chat\/[^/]+$/ },
    kept: (page) => expect(page.getByRole("dialog").locator("textarea")).toHaveValue(reason),
    done: (page) => expect(text(t("chat.deletedByStaff"))(page)).toBeVisible(),
  })),
  act("reacting to a chat message", "chat.react", ({ owner, member }) => ({
    who: owner,
    button: tools(member),
    press: choose(member, t("reaction.names.fire")),
    call: { method: "POST", path: /\/api\/chat\/[^/]+\/reactions$/ },
    pending: (page) => expect(fire(page)).toHaveAttribute("aria-pressed", "true"),
    kept: (page) => expect(fire(page)).toHaveCount(0),
    done: (page) => expect(fire(page)).toHaveAttribute("aria-pressed", "true"),
  })),
  act("hiding a chat message", "moderation.hideMessage", ({ owner, member }) => ({
    who: owner,
    open: async (page) => {
      await choose(member, t("common.hide"))(page);
      await page.getByLabel(t("reason.template")).selectOption(reason);
    },
    button: inDialog(t("common.hide")),
    call: { method: "POST", path: /\/api\/chat\/[^/]+\/hide$/ },
    kept: (page) => expect(page.getByRole("dialog").locator("textarea")).toHaveValue(reason),
    done: said(t("moderate.hidden")),
  })),
  act("showing a chat message again", "moderation.hideMessage", async ({ owner, member, messageId }) => {
    await owner.api.call(contract.moderation.hideMessage, { messageId, hidden: true });
    const mark = (page: Page) => log(page).getByText(t("common.hidden"), { exact: true });
    return {
      who: owner,
      button: tools(member),
      press: choose(member, t("moderate.show")),
      call: { method: "POST", path: /\/api\/chat\/[^/]+\/hide$/ },
      pending: (page) => expect(mark(page)).toHaveCount(0),
      kept: (page) => expect(mark(page)).toBeVisible(),
      done: said(t("moderate.shown")),
    };
  }),
];
