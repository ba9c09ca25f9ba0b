import { expect, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { PAST } from "@/scripts/stack/past-content";
import { appOrigin } from "../installation";
import { oldPost } from "../old-post";
import { person } from "../people";
import { standInForPush } from "../push";
import { type Act, picture, postIn, roomOf } from "./act";
import { appActs } from "./apps";
import { tokenActs } from "./tokens";
import { button, inDialog, said } from "./topics";

const face = (page: Page) => page.getByRole("main").getByRole("img", { name: t("picture.yours") });
const rows = (page: Page) => page.getByRole("list", { name: t("settings.sessions") }).getByRole("listitem");
const shown = (domain: string) => button(t("settings.badgeHide", { domain }));

/** What members do with what is their own. */
export const ownActs: readonly Act[] = [
  {
    name: "changing one's nickname",
    operations: ["profile.setNickname"],
    arrange: async (word) => {
      const field = (page: Page) => page.getByLabel(t("profile.nickname"), { exact: true });
      return {
        who: await person(`n_${word}`),
        path: "/profile",
        open: (page) => field(page).fill(`nn_${word}`),
        button: button(t("profile.change")),
        call: { method: "PUT", path: /\/nickname$/ },
        kept: (page) => expect(field(page)).toHaveValue(`nn_${word}`),
        done: said(t("profile.saved", { name: `nn_${word}` })),
      };
    },
  },
  {
    name: "taking a picture",
    operations: ["profile.setImage"],
    arrange: async (word) => {
      const use = (page: Page) => button(t("picture.use"))(page).or(button(t("picture.again"))(page));
      return {
        who: await person(`p_${word}`),
        path: "/profile",
        open: (page) => page.locator("input[type=file]").setInputFiles(picture),
        button: use,
        call: { method: "PUT", path: /\/profile\/image$/ },
        kept: (page) => expect(page.getByRole("application", { name: t("picture.area") })).toBeVisible(),
        done: said(t("picture.saved")),
      };
    },
  },
  {
    name: "taking one's picture away",
    operations: ["profile.deleteImage"],
    arrange: async (word) => {
      const who = await person(`p_${word}`);
      await who.api.call(contract.profile.setImage, { imageUrl: await uploaded(who.token) });
      return {
        who,
        path: "/profile",
        button: button(t("common.removePicture")),
        call: { method: "DELETE", path: /\/profile\/image$/ },
        pending: (page) => expect(button(t("common.removePicture"))(page)).toHaveCount(0),
        kept: (page) => expect(face(page)).toHaveAttribute("src", /.+/),
        done: said(t("picture.removed")),
      };
    },
  },
  {
    name: "showing a domain",
    operations: ["profile.addDomainBadge"],
    arrange: async () => {
      const { domain, nicknames } = PAST.sealed;
      const who = await person(nicknames[0]);
      await who.api.call(contract.profile.removeDomainBadge, { domain }).catch(() => undefined);
      return {
        who,
        path: "/settings",
        open: async (page) => {
          await button(t("settings.badgeShow", { domain }))(page).click();
          await page.getByRole("radio", { name: t("showDomain.all") }).check();
        },
        button: inDialog(t("settings.badgeShow", { domain })),
        call: { method: "POST", path: /\/domain-badge$/ },
        kept: (page) => expect(page.getByRole("radio", { name: t("showDomain.all") })).toBeChecked(),
        done: said(t("settings.badgeShowing", { domain })),
      };
    },
  },
  {
    name: "hiding a domain",
    operations: ["profile.removeDomainBadge"],
    arrange: async () => {
      const { domain, nicknames } = PAST.sealed;
      const who = await person(nicknames[1]);
      await who.api.call(contract.profile.addDomainBadge, {}).catch(() => undefined);
      return {
        who,
        path: "/settings",
        button: shown(domain),
        call: { method: "DELETE", path: /\/domain-badge$/ },
        pending: (page) => expect(shown(domain)(page)).toHaveCount(0),
        kept: (page) => expect(shown(domain)(page)).toBeEnabled(),
        done: said(t("settings.badgeHidden", { domain })),
      };
    },
  },
  {
    name: "ending another session",
    operations: ["auth.endSession"],
    arrange: async (word) => {
      await person(`x_${word}`);
      const end = button(t("settings.endOne", { label: "node" }));
      return {
        who: await person(`x_${word}`),
        path: "/settings",
        button: end,
        call: { method: "DELETE", path: /\/auth\/sessions\/[^/]+$/ },
        pending: (page) => expect(rows(page)).toHaveCount(1),
        kept: (page) => expect(rows(page)).toHaveCount(2),
        done: said(t("settings.endedOne", { label: "node" })),
      };
    },
  },
  {
    name: "ending all other sessions",
    operations: ["auth.endOtherSessions"],
    arrange: async (word) => {
      await person(`x_${word}`);
      await person(`x_${word}`);
      const ask = button(t("settings.endAll"));
      return {
        who: await person(`x_${word}`),
        path: "/settings",
        button: inDialog(t("settings.endAll")),
        press: async (page) => {
          await ask(page).click();
          await inDialog(t("settings.endAll"))(page).click();
        },
        call: { method: "DELETE", path: /\/auth\/sessions$/ },
        pending: (page) => expect(rows(page)).toHaveCount(1),
        kept: (page) => expect(rows(page)).toHaveCount(3),
        done: said(t("settings.endedMany", { n: 2 })),
      };
    },
  },
  ...tokenActs,
  ...appActs,
  {
    name: "turning push messages on",
    operations: ["push.add"],
    arrange: async (word) => ({
      who: await person(`x_${word}`),
      path: "/alerts",
      before: standInForPush,
      button: button(t("push.turnOn")),
      call: { method: "POST", path: /\/me\/push$/ },
      done: (page) => expect(button(t("push.turnOff"))(page)).toBeVisible(),
    }),
  },
  {
    name: "turning push messages off",
    operations: ["push.remove"],
    arrange: async (word) => ({
      who: await person(`x_${word}`),
      path: "/alerts",
      before: standInForPush,
      open: (page) => button(t("push.turnOn"))(page).click(),
      button: button(t("push.turnOff")),
      call: { method: "DELETE", path: /\/me\/push$/ },
      kept: (page) => expect(button(t("push.turnOff"))(page)).toBeVisible(),
      done: (page) => expect(button(t("push.turnOn"))(page)).toBeVisible(),
    }),
  },
  {
    name: "choosing what notifies",
    operations: ["notifications.setKinds"],
    arrange: async (word) => {
      const kind = t("topicAlerts.kinds.reply");
      const box = (page: Page) => page.getByLabel(t("topicAlerts.pushOf", { kind }), { exact: true });
      return {
        who: await person(`x_${word}`),
        path: "/settings",
        button: box,
        call: { method: "PATCH", path: /\/notification-settings$/ },
        pending: (page) => expect(box(page)).not.toBeChecked(),
        kept: (page) => expect(box(page)).toBeChecked(),
        done: said(t("topicAlerts.saved")),
      };
    },
  },
  {
    name: "choosing a digest",
    operations: ["notifications.setDigest"],
    arrange: async (word) => {
      const choice = (page: Page) => page.getByRole("radio", { name: t("digest.rhythms.week") });
      return {
        who: await person(`x_${word}`),
        path: "/settings",
        button: (page) => page.getByText(t("digest.rhythms.week"), { exact: true }),
        call: { method: "PUT", path: /\/me\/digest$/ },
        pending: (page) => expect(choice(page)).toBeChecked(),
        kept: (page) => expect(choice(page)).not.toBeChecked(),
        done: said(t("digest.saved")),
      };
    },
  },
  {
    name: "making an address for one's feed",
    operations: ["my.makeFeed"],
    arrange: async (word) => ({
      who: await person(`x_${word}`),
      path: "/settings",
      button: button(t("feedAddress.make")),
      call: { method: "POST", path: /\/me\/feed$/ },
      kept: (page) => expect(page.getByText(t("feedAddress.none"))).toBeVisible(),
      done: (page) =>
        expect(page.getByLabel(t("feedAddress.label"))).toHaveValue(/\/feeds\/[\w-]{43}\/feed\.xml$/),
    }),
  },
  {
    name: "ending the address of one's feed",
    operations: ["my.endFeed"],
    arrange: async (word) => {
      const who = await person(`x_${word}`);
      await who.api.call(contract.my.makeFeed, {});
      return {
        who,
        path: "/settings",
        button: button(t("feedAddress.end")),
        call: { method: "DELETE", path: /\/me\/feed$/ },
        kept: (page) => expect(button(t("feedAddress.end"))(page)).toBeVisible(),
        done: (page) => expect(page.getByText(t("feedAddress.none"))).toBeVisible(),
      };
    },
  },
  {
    name: "taking a block back",
    operations: ["users.unblock"],
    arrange: async (word) => {
      const [who, blocked] = [await person(`x_${word}`), await person(`y_${word}`)];
      await who.api.call(contract.users.block, { userId: blocked.userId });
      const unblock = button(t("post.unblock", { name: blocked.nickname }));
      return {
        who,
        path: "/settings",
        button: unblock,
        call: { method: "DELETE", path: /\/users\/[^/]+\/block$/ },
        pending: (page) => expect(unblock(page)).toHaveCount(0),
        kept: (page) => expect(unblock(page)).toBeVisible(),
        done: said(t("post.unblocked", { name: blocked.nickname })),
      };
    },
  },
  ...[
    { name: "following somebody", operation: "users.follow", method: "PUT", before: false },
    { name: "following somebody no longer", operation: "users.unfollow", method: "DELETE", before: true },
  ].map(
    ({ name, operation, method, before }): Act => ({
      name,
      operations: [operation],
      arrange: async (word) => {
        const [who, followed] = [await person(`x_${word}`), await person(`y_${word}`)];
        if (before) await who.api.call(contract.users.follow, { userId: followed.userId });
        const of = { name: followed.nickname };
        const follow = button(t(before ? "person.followingOf" : "person.followOf", of));
        const after = button(t(before ? "person.followOf" : "person.followingOf", of));
        return {
          who,
          path: `/@${followed.nickname}`,
          button: follow,
          call: { method, path: /\/users\/[^/]+\/follow$/ },
          pending: (page) => expect(after(page)).toBeVisible(),
          kept: (page) => expect(follow(page)).toBeVisible(),
          done: said(t(before ? "person.unfollowed" : "person.followed", of)),
        };
      },
    }),
  ),
  {
    name: "blocking an author",
    operations: ["users.block"],
    arrange: async (word) => {
      const room = await roomOf(word);
      const name = room.member.nickname;
      const postId = await postIn(room);
      const tools = button(t("moderate.tools"));
      const text = (page: Page) => page.getByText("Cheap lamps.");
      return {
        who: await person(`x_${word}`),
        path: `/posts/${postId}`,
        button: tools,
        press: async (page) => {
          await tools(page).click();
          await page.getByRole("menuitem", { name: t("post.block", { name }), exact: true }).click();
        },
        call: { method: "PUT", path: /\/users\/[^/]+\/block$/ },
        pending: async (page) => {
          await expect(text(page)).toHaveCount(0);
          await expect(page.getByText(t("post.foldedPost"), { exact: true })).toBeVisible();
        },
        kept: (page) => expect(text(page)).toBeVisible(),
        done: said(t("post.blocked", { name })),
      };
    },
  },
  {
    name: "deleting a scheduled post",
    operations: ["scheduled.cancel"],
    arrange: async (word) => {
      const { member, topicId } = await roomOf(word);
      const title = `Later ${word}`;
      const publishAt = new Date(Date.now() + 86_400_000).toISOString();
      const content = "<p>At five.</p>";
      await member.api.call(contract.scheduled.create, { topicId, title, content, publishAt });
      const remove = button(t("scheduled.deleteOf", { title }));
      return {
        who: member,
        path: "/scheduled",
        button: remove,
        call: { method: "DELETE", path: /\/scheduled\/[^/]+$/ },
        pending: (page) => expect(remove(page)).toHaveCount(0),
        kept: (page) => expect(remove(page)).toBeVisible(),
        done: said(t("scheduled.deleted")),
      };
    },
  },
  {
    name: "ending an account",
    operations: ["profile.deleteAccount"],
    arrange: async (word) => {
      const who = await person(`x_${word}`);
      const typed = (page: Page) => page.getByLabel(t("settings.typeName", { name: who.nickname }));
      return {
        who,
        path: "/settings",
        open: async (page) => {
          await button(t("settings.delete"))(page).click();
          await typed(page).fill(who.nickname);
        },
        button: button(t("settings.deleteForGood")),
        call: { method: "DELETE", path: /\/api\/account$/ },
        kept: (page) => expect(typed(page)).toHaveValue(who.nickname),
        done: said(t("settings.deleted")),
      };
    },
  },
  {
    name: "signing out",
    operations: ["auth.logout"],
    arrange: async (word) => ({
      who: await person(`x_${word}`),
      path: "/settings",
      button: button(t("profile.signOut")),
      call: { method: "POST", path: /\/logout$/ },
      done: (page) => expect(page).toHaveURL("/"),
    }),
  },
  {
    name: "recording a post",
    operations: ["records.record"],
    arrange: async (word) => {
      const who = await person(`x_${word}`);
      const post = await oldPost(who);
      await who.api.call(contract.topics.join, { topicId: post.topicId });
      const confirm = inDialog(t("record.confirm"));
      return {
        who,
        path: `/posts/${post.postId}`,
        open: async (page) => {
          await button(t("moderate.tools"))(page).click();
          await page.getByRole("menuitem", { name: t("record.record") }).click();
        },
        button: confirm,
        call: { method: "POST", path: /\/record$/ },
        pending: (page) => expect(page.getByRole("list", { name: t("record.stagesLabel") })).toBeVisible(),
        kept: (page) => expect(confirm(page)).toBeEnabled(),
        done: (page) => expect(page.getByText(t("record.done"))).toBeVisible({ timeout: 40_000 }),
      };
    },
  },
];

/** A picture of one's own. @returns its address */
async function uploaded(token: string): Promise<string> {
  const form = new FormData();
  form.set("file", new File([new Uint8Array(picture.buffer)], picture.name, { type: picture.mimeType }));
  form.set("purpose", "avatar");
  const answer = await fetch(new URL(contract.uploads.create.path, appOrigin), {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  return contract.uploads.create.responses[201].parse(await answer.json()).publicUrl;
}
