import { expect, type Locator, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { person } from "../people";
import { type Act, categoryOf, picture, postIn, roomOf } from "./act";

/** The button of this name, in the dialog that is open or on the page. */
export const button = (name: string) => (page: Page | Locator) =>
  page.getByRole("button", { name, exact: true });
export const inDialog = (name: string) => (page: Page) => button(name)(page.getByRole("dialog"));
/** Said in passing. */
export const said = (sentence: string) => (page: Page) =>
  expect(
    page
      .getByRole("region", { name: t("common.messages") })
      .getByText(sentence)
      .first(),
  ).toBeVisible();
const at = (pattern: RegExp) => (page: Page) => expect(page).toHaveURL(pattern);

/** A choice in the menu of a topic's alerts. */
const topicAlert = (name: string, choice: "mute" | "unmute" | "mentions"): Act => ({
  name,
  operations: [choice === "mentions" ? "topics.setNotifications" : `topics.${choice}`],
  arrange: async (word) => {
    const { member, topicId } = await roomOf(word);
    if (choice === "unmute") await member.api.call(contract.topics.mute, { topicId });
    const before = t(choice === "unmute" ? "topicAlerts.labelMuted" : "topicAlerts.label");
    const after = t(choice === "mute" ? "topicAlerts.labelMuted" : "topicAlerts.label");
    const entry = choice === "mentions" ? t("topicAlerts.levels.mentions") : t("topicAlerts.mute");
    const sentence = {
      mute: t("topicAlerts.muted"),
      unmute: t("topicAlerts.unmuted"),
      mentions: t("topicAlerts.chosen.mentions"),
    }[choice];
    return {
      who: member,
      path: `/topics/${topicId}`,
      button: button(before),
      press: async (page) => {
        await button(before)(page).click();
        // The entry to mute also has its hint.
        await page.getByRole("menuitemcheckbox", { name: entry }).click();
      },
      call: { method: choice === "unmute" ? "DELETE" : "PUT", path: /\/(mute|notifications)$/ },
      pending: (page) => expect(button(after)(page)).toBeVisible(),
      kept: (page) => expect(button(before)(page)).toBeVisible(),
      done: said(sentence),
    };
  },
});

/** A choice in the menu of a thread's alerts. */
const threadAlert: Act = {
  name: "watching a thread",
  operations: ["posts.setNotifications"],
  arrange: async (word) => {
    const room = await roomOf(word);
    const level = (of: "watch" | "follow") =>
      button(t("threadAlerts.label", { level: t(`threadAlerts.levels.${of}`) }));
    return {
      who: room.member,
      path: `/posts/${await postIn(room)}`,
      button: level("follow"),
      press: async (page) => {
        await level("follow")(page).click();
        await page.getByRole("menuitemcheckbox", { name: t("threadAlerts.levels.watch") }).click();
      },
      call: { method: "PUT", path: /\/notifications$/ },
      pending: (page) => expect(level("watch")(page)).toBeVisible(),
      kept: (page) => expect(level("follow")(page)).toBeVisible(),
      done: said(t("threadAlerts.chosen.watch")),
    };
  },
};

/** Coming to a topic, going, and what its owner does with it. */
export const topicActs: readonly Act[] = [
  threadAlert,
  {
    name: "joining",
    operations: ["topics.join"],
    arrange: async (word) => {
      const { topicId } = await roomOf(word);
      return {
        who: await person(`g_${word}`),
        path: `/topics/${topicId}/join`,
        button: button(t("common.joinTopic")),
        call: { method: "POST", path: /\/join$/ },
        done: at(new RegExp(`/topics/${topicId}$`)),
      };
    },
  },
  {
    name: "accepting an invite",
    operations: ["topics.joinByInvite"],
    arrange: async (word) => {
      const { owner, topicId } = await roomOf(word);
      const { topic } = await owner.api.call(contract.topics.get, { topicId });
      return {
        who: await person(`g_${word}`),
        path: `/invite/${topic.inviteCode}`,
        button: button(t("common.joinTopic")),
        call: { method: "POST", path: /\/api\/topics\/join\// },
        done: at(new RegExp(`/topics/${topicId}$`)),
      };
    },
  },
  topicAlert("muting a topic", "mute"),
  topicAlert("taking the mute of a topic back", "unmute"),
  topicAlert("choosing what of a topic notifies", "mentions"),
  {
    name: "leaving",
    operations: ["topics.leave"],
    arrange: async (word) => {
      const { member, topicId, title } = await roomOf(word);
      return {
        who: member,
        path: `/topics/${topicId}?tab=about`,
        open: (page) => button(t("membership.leave"))(page).click(),
        button: inDialog(t("membership.leave")),
        call: { method: "POST", path: /\/leave$/ },
        done: said(t("membership.left", { name: title })),
      };
    },
  },
  {
    name: "making an invite link",
    operations: ["topics.createInvite"],
    arrange: async (word) => {
      const { owner, topicId } = await roomOf(word);
      return {
        who: owner,
        path: `/topics/${topicId}/invites`,
        button: button(t("invites.create")),
        call: { method: "POST", path: /\/invite$/ },
        done: (page) =>
          expect(page.getByRole("list", { name: t("invites.fresh") }).getByRole("listitem")).toHaveCount(1),
      };
    },
  },
  {
    name: "replacing the invite code",
    operations: ["topics.renewInviteCode"],
    arrange: async (word) => {
      const { owner, topicId } = await roomOf(word);
      return {
        who: owner,
        path: `/topics/${topicId}/invites`,
        button: button(t("invites.renew")),
        call: { method: "POST", path: /\/invite-code$/ },
        done: said(t("invites.renewed")),
      };
    },
  },
  {
    name: "founding a topic",
    operations: ["topics.create"],
    arrange: async (word) => {
      const title = `A new room ${word}`;
      const name = (page: Page) => page.getByLabel(t("newTopic.name"));
      return {
        who: await person(`o_${word}`),
        path: "/topics/new",
        open: async (page) => {
          await name(page).fill(title);
          await page.getByLabel(t("topic.category")).selectOption({ index: 1 });
        },
        button: button(t("newTopic.create")),
        call: { method: "POST", path: /\/api\/topics$/ },
        kept: (page) => expect(name(page)).toHaveValue(title),
        done: (page) => expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible(),
      };
    },
  },
  {
    name: "changing a topic",
    operations: ["topics.update"],
    arrange: async (word) => {
      const { owner, topicId } = await roomOf(word);
      const name = (page: Page) => page.getByLabel(t("newTopic.name"));
      return {
        who: owner,
        path: `/topics/${topicId}/edit`,
        open: (page) => name(page).fill(`Another name ${word}`),
        button: button(t("common.saveChanges")),
        call: { method: "PATCH", path: /\/api\/topics\/[^/]+$/ },
        kept: (page) => expect(name(page)).toHaveValue(`Another name ${word}`),
        done: said(t("editTopic.saved")),
      };
    },
  },
  {
    name: "uploading a topic's picture",
    operations: [],
    arrange: async (word) => {
      const { owner, topicId } = await roomOf(word);
      const choose = (page: Page) => button(t("editTopic.choosePicture"))(page).first();
      return {
        who: owner,
        path: `/topics/${topicId}/edit`,
        button: choose,
        press: (page) => page.locator("input[type=file]").first().setInputFiles(picture),
        call: { method: "POST", path: /\/api\/upload$/ },
        kept: (page) => expect(choose(page)).toBeEnabled(),
        done: (page) => expect(button(t("editTopic.otherPicture"))(page)).toBeVisible(),
      };
    },
  },
  {
    name: "deleting a topic",
    operations: ["topics.delete"],
    arrange: async (word) => {
      const { owner, topicId, title } = await roomOf(word);
      const typed = (page: Page) => page.getByLabel(t("editTopic.deleteType", { title }));
      return {
        who: owner,
        path: `/topics/${topicId}/edit`,
        open: async (page) => {
          await button(t("editTopic.delete"))(page).click();
          await typed(page).fill(title);
        },
        button: inDialog(t("editTopic.deleteConfirm")),
        call: { method: "DELETE", path: /\/api\/topics\/[^/]+$/ },
        kept: (page) => expect(typed(page)).toHaveValue(title),
        done: said(t("editTopic.deleted")),
      };
    },
  },
  {
    name: "reporting a post",
    operations: ["moderation.reportPost"],
    arrange: async (word) => {
      const room = await roomOf(word);
      const details = (page: Page) => page.getByLabel(t("report.details"));
      return {
        who: room.owner,
        path: `/posts/${await postIn(room)}`,
        open: async (page) => {
          await button(t("moderate.tools"))(page).click();
          await page.getByRole("menuitem", { name: t("report.post") }).click();
          await details(page).fill("The third one today.");
        },
        button: inDialog(t("report.send")),
        call: { method: "POST", path: /\/report$/ },
        kept: (page) => expect(details(page)).toHaveValue("The third one today."),
        done: said(t("report.sent")),
      };
    },
  },
  {
    name: "reading all alerts",
    operations: ["notifications.read"],
    arrange: async (word) => {
      const room = await roomOf(word);
      await room.owner.api.call(contract.comments.create, {
        postId: await postIn(room),
        content: "How cheap?",
      });
      const unread = (page: Page) =>
        page.getByRole("region", { name: t("alerts.list") }).getByText(t("alerts.unread"));
      return {
        who: room.member,
        path: "/alerts",
        button: button(t("alerts.markAll")),
        call: { method: "POST", path: /\/notifications\/read$/ },
        kept: (page) => expect(unread(page)).toHaveCount(1),
        done: (page) => expect(unread(page)).toHaveCount(0),
      };
    },
  },
  {
    name: "asking to be let in",
    operations: ["topics.join"],
    arrange: async (word) => {
      const owner = await person(`o_${word}`);
      const { topic } = await owner.api.call(contract.topics.create, {
        title: `A closed room ${word}`,
        categoryId: await categoryOf(owner),
        visibility: "private",
      });
      return {
        who: await person(`g_${word}`),
        path: `/topics/${topic.id}/join`,
        button: button(t("topic.ask")),
        call: { method: "POST", path: /\/join$/ },
        done: (page) => expect(page.getByText(t("topic.pendingTitle")).first()).toBeVisible(),
      };
    },
  },
];
