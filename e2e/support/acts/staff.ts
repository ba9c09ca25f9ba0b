import { expect, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { person } from "../people";
import { type Act, categoryOf, postIn, type Room, roomOf } from "./act";
import { button, inDialog, said } from "./topics";

const reason = t("reason.templates.repeated");
const reasonText = (page: Page) => page.getByRole("dialog").locator("textarea");

/** Chooses what is done to the room's member. */
const choose =
  ({ member }: Room, act: string) =>
  async (page: Page) => {
    await button(t("staff.manage", { name: member.nickname }))(page).click();
    await page.getByRole("menuitem", { name: act, exact: true }).click();
  };
/** The menu beside a post. */
const tools = button(t("moderate.tools"));
const fromTools = (act: string) => async (page: Page) => {
  await tools(page).click();
  await page.getByRole("menuitem", { name: act, exact: true }).click();
};
const gone = (find: (page: Page) => ReturnType<Page["getByRole"]>) => (page: Page) =>
  expect(find(page)).toHaveCount(0);
const there = (find: (page: Page) => ReturnType<Page["getByRole"]>) => (page: Page) =>
  expect(find(page)).toBeVisible();

async function closedRoom(word: string) {
  const [owner, seeker] = [await person(`o_${word}`), await person(`s_${word}`)];
  const { topic } = await owner.api.call(contract.topics.create, {
    title: `A closed room ${word}`,
    categoryId: await categoryOf(owner),
    visibility: "private",
  });
  await seeker.api.call(contract.topics.join, { topicId: topic.id });
  return { owner, seeker, topicId: topic.id };
}

/** One of the two answers to a request. */
const decision = (action: "approve" | "reject"): Act => ({
  name: `${action === "approve" ? "letting somebody in" : "turning somebody away"}`,
  operations: ["requests.decide"],
  arrange: async (word) => {
    const { owner, seeker, topicId } = await closedRoom(word);
    const name = seeker.nickname;
    const decide = button(t(`requests.${action}Of`, { name }));
    return {
      who: owner,
      path: `/topics/${topicId}/requests`,
      button: decide,
      call: { method: "PATCH", path: /\/requests$/ },
      pending: gone(decide),
      kept: there(decide),
      done: said(t(action === "approve" ? "requests.approved" : "requests.rejected", { name })),
    };
  },
});

/** Muting or banning the room's member. */
const sanction = (kind: "mute" | "ban"): Act => ({
  name: kind === "mute" ? "muting" : "banning",
  operations: ["moderation.sanction"],
  arrange: async (word) => {
    const room = await roomOf(word);
    return {
      who: room.owner,
      path: `/topics/${room.topicId}/members`,
      open: async (page) => {
        await choose(room, t(`staff.${kind}`))(page);
        await page.getByLabel(t("reason.template")).selectOption(reason);
      },
      button: inDialog(t(`staff.${kind}Confirm`)),
      call: { method: "POST", path: /\/sanctions$/ },
      kept: (page) => expect(reasonText(page)).toHaveValue(reason),
      done: said(t(kind === "mute" ? "staff.mutedNow" : "staff.bannedNow", { name: room.member.nickname })),
    };
  },
});

/** An answer to an offer of ownership, or taking it back. */
const answering = (answer: "accept" | "decline" | "cancel"): Act => ({
  name: `${answer} an offer of ownership`,
  operations: [answer === "cancel" ? "ownership.cancel" : "ownership.answer"],
  arrange: async (word) => {
    const { owner, member, topicId } = await roomOf(word);
    await owner.api.call(contract.ownership.offer, { topicId, userId: member.userId });
    const press = button(t(`offer.${answer}`));
    return {
      who: answer === "cancel" ? owner : member,
      path: `/topics/${topicId}/members`,
      button: press,
      call: { method: answer === "cancel" ? "DELETE" : "POST", path: /\/ownership-offer$/ },
      kept: there(press),
      done: said(t(`offer.done.${answer}`)),
    };
  },
});

/** What the staff of a topic do. */
export const staffActs: readonly Act[] = [
  decision("approve"),
  decision("reject"),
  sanction("mute"),
  sanction("ban"),
  {
    name: "adding a webhook",
    operations: ["webhooks.create"],
    arrange: async (word) => {
      const { owner, topicId } = await roomOf(word);
      const address = (page: Page) => page.getByLabel(t("webhooks.url"), { exact: true });
      return {
        who: owner,
        path: `/topics/${topicId}/webhooks`,
        open: async (page) => {
          await button(t("webhooks.add"))(page).click();
          await address(page).fill(`https://hooks.example.org/${word}`);
        },
        button: inDialog(t("webhooks.add")),
        call: { method: "POST", path: /\/webhooks$/ },
        kept: (page) => expect(address(page)).toHaveValue(`https://hooks.example.org/${word}`),
        done: (page) => expect(page.getByText(t("webhooks.once"))).toBeVisible(),
      };
    },
  },
  {
    name: "deleting a webhook",
    operations: ["webhooks.delete"],
    arrange: async (word) => {
      const { owner, topicId } = await roomOf(word);
      const url = `https://hooks.example.org/${word}`;
      await owner.api.call(contract.webhooks.create, { topicId, url });
      const press = button(t("webhooks.deleteOne", { url }));
      return {
        who: owner,
        path: `/topics/${topicId}/webhooks`,
        button: press,
        call: { method: "DELETE", path: /\/webhooks\/[^/]+$/ },
        pending: (page) => expect(press(page)).toHaveCount(0),
        kept: there(press),
        done: said(t("webhooks.deleted")),
      };
    },
  },
  {
    name: "giving a role",
    operations: ["members.setRole"],
    arrange: async (word) => {
      const room = await roomOf(word);
      const name = room.member.nickname;
      const manage = button(t("staff.manage", { name }));
      const admin = (page: Page) =>
        page.getByRole("listitem").filter({ hasText: name }).getByText(t("topic.admin"), { exact: true });
      return {
        who: room.owner,
        path: `/topics/${room.topicId}/members`,
        button: manage,
        press: choose(room, t("staff.promote")),
        call: { method: "PATCH", path: /\/members$/ },
        pending: there(admin),
        kept: async (page) => {
          await expect(admin(page)).toHaveCount(0);
          await expect(manage(page)).toBeVisible();
        },
        done: said(t("staff.roleSet", { name, role: "admin" })),
      };
    },
  },
  {
    name: "offering the topic",
    operations: ["ownership.offer"],
    arrange: async (word) => {
      const room = await roomOf(word);
      const name = room.member.nickname;
      return {
        who: room.owner,
        path: `/topics/${room.topicId}/members`,
        open: choose(room, t("staff.transfer")),
        button: inDialog(t("staff.transfer")),
        call: { method: "PUT", path: /\/ownership-offer$/ },
        kept: there(inDialog(t("staff.transfer"))),
        done: said(t("staff.transferred", { name })),
      };
    },
  },
  answering("accept"),
  answering("decline"),
  answering("cancel"),
  {
    name: "writing a note about a member",
    operations: ["members.notes", "members.addNote"],
    arrange: async (word) => {
      const room = await roomOf(word);
      const typed = (page: Page) => page.getByLabel(t("notes.label"));
      return {
        who: room.owner,
        path: `/topics/${room.topicId}/members`,
        open: async (page) => {
          await choose(room, t("staff.notes"))(page);
          await typed(page).fill("Warned twice.");
        },
        button: inDialog(t("notes.add")),
        call: { method: "POST", path: /\/notes$/ },
        kept: (page) => expect(typed(page)).toHaveValue("Warned twice."),
        done: (page) => expect(page.getByRole("dialog").getByText("Warned twice.")).toBeVisible(),
      };
    },
  },
  {
    name: "deleting a note about a member",
    operations: ["members.deleteNote"],
    arrange: async (word) => {
      const room = await roomOf(word);
      const about = { topicId: room.topicId, userId: room.member.userId };
      await room.owner.api.call(contract.members.addNote, { ...about, note: "Warned twice." });
      const remove = inDialog(t("notes.delete"));
      return {
        who: room.owner,
        path: `/topics/${room.topicId}/members`,
        open: choose(room, t("staff.notes")),
        button: remove,
        call: { method: "DELETE", path: /\/notes\// },
        pending: gone(remove),
        kept: there(remove),
        done: said(t("notes.deleted")),
      };
    },
  },
  {
    name: "removing a member",
    operations: ["members.remove"],
    arrange: async (word) => {
      const room = await roomOf(word);
      return {
        who: room.owner,
        path: `/topics/${room.topicId}/members`,
        open: async (page) => {
          await choose(room, t("staff.remove"))(page);
          await page.getByLabel(t("reason.template")).selectOption(reason);
        },
        button: inDialog(t("staff.removeConfirm")),
        call: { method: "DELETE", path: /\/members$/ },
        kept: (page) => expect(reasonText(page)).toHaveValue(reason),
        done: said(t("staff.removed", { name: room.member.nickname })),
      };
    },
  },
  {
    name: "lifting a mute",
    operations: ["moderation.lift"],
    arrange: async (word) => {
      const room = await roomOf(word);
      const { userId, nickname: name } = room.member;
      const { topicId } = room;
      await room.owner.api.call(contract.moderation.sanction, { topicId, userId, kind: "mute", reason });
      const lift = button(t("staff.unmuteOf", { name }));
      return {
        who: room.owner,
        path: `/topics/${topicId}/members?show=sanctioned`,
        button: lift,
        call: { method: "DELETE", path: /\/sanctions$/ },
        pending: gone(lift),
        kept: there(lift),
        done: said(t("staff.liftedMute", { name })),
      };
    },
  },
  {
    name: "dismissing a report",
    operations: ["moderation.decideCases"],
    arrange: async (word) => {
      const room = await roomOf(word);
      const postId = await postIn(room);
      const reporter = await person(`r_${word}`);
      await reporter.api.call(contract.topics.join, { topicId: room.topicId });
      await reporter.api.call(contract.moderation.reportPost, { postId, reason: "spam" });
      // A message has a button of that name, too.
      const dismiss = (page: Page) =>
        page.getByRole("group").getByRole("button", { name: t("queue.acts.dismiss"), exact: true });
      return {
        who: room.owner,
        path: `/topics/${room.topicId}/reports`,
        button: dismiss,
        call: { method: "POST", path: /\/moderation\/queue$/ },
        pending: gone(dismiss),
        kept: there(dismiss),
        done: (page) =>
          expect(page.getByText(t("queue.done.dismiss", { name: "Buy my lamps" }))).toBeVisible(),
      };
    },
  },
  {
    name: "hiding a post",
    operations: ["moderation.hidePost"],
    arrange: async (word) => {
      const room = await roomOf(word);
      return {
        who: room.owner,
        path: `/posts/${await postIn(room)}`,
        open: async (page) => {
          await fromTools(t("common.hide"))(page);
          await page.getByLabel(t("reason.template")).selectOption(reason);
        },
        button: inDialog(t("common.hide")),
        call: { method: "POST", path: /\/hide$/ },
        kept: (page) => expect(reasonText(page)).toHaveValue(reason),
        done: said(t("moderate.hidden")),
      };
    },
  },
  {
    name: "showing a post again",
    operations: ["moderation.hidePost"],
    arrange: async (word) => {
      const room = await roomOf(word);
      const postId = await postIn(room);
      await room.owner.api.call(contract.moderation.hidePost, { postId, hidden: true });
      return {
        who: room.owner,
        path: `/posts/${postId}`,
        button: tools,
        press: fromTools(t("moderate.show")),
        call: { method: "POST", path: /\/hide$/ },
        done: said(t("moderate.shown")),
      };
    },
  },
  {
    name: "pinning a post",
    operations: ["posts.pin"],
    arrange: async (word) => {
      const room = await roomOf(word);
      return {
        who: room.owner,
        path: `/posts/${await postIn(room)}`,
        button: tools,
        press: fromTools(t("moderate.pin")),
        call: { method: "POST", path: /\/pin$/ },
        done: said(t("moderate.pinned")),
      };
    },
  },
];
