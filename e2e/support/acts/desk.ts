import { expect, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { person } from "../people";
import { type Act, postIn, roomOf } from "./act";
import { button, inDialog, said } from "./topics";

/** What operators do at their desk. Their other acts on accounts and cases go by the same dialog and the same queue. */
export const deskActs: readonly Act[] = [
  {
    name: "dismissing a case at the desk",
    operations: ["desk.decide"],
    arrange: async (word) => {
      const room = await roomOf(word);
      const postId = await postIn(room);
      await room.owner.api.call(contract.moderation.reportPost, { postId, reason: "illegal" });
      // A message has a button of that name, too.
      const dismiss = (page: Page) =>
        page.getByRole("group").getByRole("button", { name: t("queue.acts.dismiss"), exact: true });
      return {
        who: await person(`op_${word}`, undefined, "operator"),
        path: `/desk?topicId=${room.topicId}`,
        button: dismiss,
        call: { method: "PATCH", path: /\/desk\/reports\/[\w-]+$/ },
        pending: (page) => expect(dismiss(page)).toHaveCount(0),
        kept: (page) => expect(dismiss(page)).toBeVisible(),
        done: (page) =>
          expect(page.getByText(t("queue.done.dismiss", { name: "Buy my lamps" }))).toBeVisible(),
      };
    },
  },
  {
    name: "silencing an account",
    operations: ["desk.sanction"],
    arrange: async (word) => {
      const { userId, nickname: name } = await person(`s_${word}`);
      const reason = t("reason.templates.repeated");
      return {
        who: await person(`op_${word}`, undefined, "operator"),
        path: `/desk/accounts/${userId}`,
        open: async (page) => {
          await button(t("desk.silence"))(page).click();
          await page.getByLabel(t("reason.template")).selectOption(reason);
        },
        button: inDialog(t("desk.silence")),
        call: { method: "POST", path: /\/sanctions$/ },
        kept: (page: Page) => expect(page.getByRole("dialog").locator("textarea")).toHaveValue(reason),
        done: said(t("desk.silenced", { name })),
      };
    },
  },
];
