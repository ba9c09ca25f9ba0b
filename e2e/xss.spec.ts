import { expect, type Page, test } from "@playwright/test";
import { contract } from "@/lib/contract";
import { xssPayloads } from "@/lib/html/testing";
import { sessionCookieName } from "@/lib/session/cookie";
import { testSettings } from "@/lib/settings/tools";
import { apiClient } from "@/scripts/stack/member";
import { anyCategory, type PlainMember, plainMember } from "./support/attested";
import { appOrigin, deployment } from "./support/installation";

/**
 * Everything people can write, written as an attack (design/assurance.md): each payload, in the short form every other,
 * as post, title, tag, poll, comment and topic, read in Chromium under the page's own policy. None may run, whatever the
 * pointer and the keyboard do on the page.
 *
 * Nicknames cannot hold markup: the API refuses them. Cards of links are attacked in xss-preview.spec.ts.
 */
const payloads = xssPayloads.filter((_, index) => testSettings().ASSURE || index % 2 === 0);
const channels = ["content", "title", "tag", "poll question", "poll option", "comment", "topic description"];

/** Writes per user that stay below the declared limits. */
const perUser = 18;

let users = 0;
async function someone(): Promise<PlainMember> {
  users += 1;
  return await plainMember(`attacker_${users}`);
}

/** What a page must never do: run something of ours to tell, open a dialog, ask another host. */
async function watched(page: Page): Promise<string[]> {
  const executed: string[] = [];
  await page.exposeFunction("parleyExecuted", (what: string) => executed.push(what));
  await page.addInitScript(() => {
    const report = (what: string) => Reflect.get(window, "parleyExecuted")(what);
    for (const name of ["alert", "confirm", "prompt", "print"]) {
      Reflect.set(window, name, (...args: unknown[]) => report(`${name}(${args.join()})`));
    }
  });
  page.on("dialog", async (dialog) => {
    executed.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on("request", (request) => {
    if (/evil\.example/.test(new URL(request.url()).host)) executed.push(`request: ${request.url()}`);
  });
  return executed;
}

/** Every event that markup could have tied a script to, on everything that was written by people. */
async function provoke(page: Page): Promise<void> {
  await page.evaluate(() => {
    const kinds = [
      ...["click", "mouseover", "mouseenter", "pointerenter", "focus", "blur", "toggle", "load", "error"],
      ...["animationstart", "animationend", "transitionend", "start", "input", "change", "submit", "wheel"],
    ];
    for (const element of document.querySelectorAll("main *")) {
      for (const kind of kinds) {
        // The page's own links would lead away; those of the payloads must not be scripts.
        if (kind === "click" && element.closest("a, button")) continue;
        element.dispatchEvent(new Event(kind, { bubbles: false, cancelable: true }));
      }
    }
  });
}

/** Addresses on the page that would run something when followed. */
async function scriptAddresses(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [...document.querySelectorAll("main [href], main [src], main [action], main [formaction], main [srcdoc]")]
      .flatMap((element) =>
        ["href", "src", "action", "formaction", "srcdoc"].map((name) => element.getAttribute(name) ?? ""),
      )
      // As the browser itself reads them: it drops control characters and spaces.
      .filter((value) =>
        /^(javascript|vbscript|data:text\/html)/i.test(URL.parse(value, location.href)?.href ?? ""),
      ),
  );
}

test("the watch notices what runs", async ({ page }) => {
  const executed = await watched(page);
  await page.goto("about:blank");
  await page.setContent("<main><img src=x onerror=alert(1)></main>");
  await expect.poll(() => executed).toContain("alert(1)");
});

test(`${payloads.length * channels.length} payloads run nowhere`, async ({ page }) => {
  test.setTimeout(240_000);
  expect(payloads.length * channels.length).toBeGreaterThanOrEqual(300);
  const executed = await watched(page);
  // The pointer is on every link of every page; what lies behind them has a page of its own.
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  await network.send("Network.setBlockedURLs", { urls: ["*_rsc=*"] });
  const guest = apiClient(deployment);
  const categoryId = await anyCategory(guest);
  const owner = await someone();
  const { topic } = await owner.api.call(contract.topics.create, {
    title: `Attacks ${payloads[0]}`.slice(0, 100),
    description: payloads.join(" ").slice(0, 2000),
    categoryId,
  });
  const first = await owner.api.call(contract.posts.create, {
    topicId: topic.id,
    title: "Comments",
    content: "<p>Below.</p>",
  });

  let writer = owner;
  const paths: string[] = [`/posts/${first.post.id}`];
  for (const [index, payload] of payloads.entries()) {
    if (index % perUser === 0) {
      writer = await someone();
      await writer.api.call(contract.topics.join, { topicId: topic.id });
    }
    await writer.api.call(contract.comments.create, { postId: first.post.id, content: payload });
    const made = await writer.api.call(contract.posts.create, {
      topicId: topic.id,
      title: payload.slice(0, 200),
      // With something to read, or content that is nothing but an attack is refused as empty.
      content: `<p>Before.</p>${payload}<p>After.</p>`,
      tags: /[\p{L}\p{N}]/u.test(payload) ? [payload.slice(0, 50)] : [],
      poll: { question: payload.slice(0, 300), options: [payload.slice(0, 80), "Other"] },
    });
    paths.push(`/posts/${made.post.id}`);
  }
  paths.push(`/topics/${topic.id}`, `/topics/${topic.id}?tab=about`, "/", "/topics");

  for (const [index, path] of paths.entries()) {
    // A pointer over every link loads ahead what lies behind it: one reader's limit would not last for all pages.
    if (index % 10 === 0) {
      const { token } = await someone();
      await page.context().addCookies([{ name: sessionCookieName, value: token, url: appOrigin }]);
    }
    await page.goto(path, { waitUntil: "domcontentloaded" });
    await page.getByRole("main").waitFor();
    expect(await scriptAddresses(page), path).toEqual([]);
    await provoke(page);
    expect(executed, path).toEqual([]);
  }
});

test("a nickname cannot hold markup", async () => {
  const user = await apiClient(deployment).call(contract.auth.devLogin, {});
  const api = apiClient(deployment, user.token);
  for (const payload of xssPayloads.slice(0, 8)) {
    await expect(api.call(contract.profile.setNickname, { nickname: payload })).rejects.toMatchObject({
      status: 400,
    });
  }
});
