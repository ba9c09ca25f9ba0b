import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { sweepExpired } from "@/lib/runtime/housekeeping";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { dataUri, png } from "@/lib/testing/images";
import { clientWith, makePost, makeTopic, refusalOf, signIn } from "../testing";
import { sweepUploads } from "./store";
import { uploadsOf } from "./testing";

let h: Harness;
let use: ReturnType<typeof uploadsOf>;
let owner: TestUser;
let author: TestUser;
let topicId: string;
beforeAll(async () => {
  h = await createHarness();
  use = uploadsOf(h);
  owner = await signIn(h, "owner");
  topicId = (await makeTopic(owner)).id;
});
afterAll(() => h.close());
beforeEach(async () => {
  author = await signIn(h);
  await author.api.call(contract.topics.join, { topicId });
});

const img = (src: string) => `<p>x</p><img src="${src}" alt="">`;
const statuses = (urls: readonly string[]) => Promise.all(urls.map((url) => use.status(url)));
const hide = (postId: string, hidden: boolean) =>
  owner.api.call(contract.moderation.hidePost, { postId, hidden });

/** A post with a picture in its text, one in its media, and one that it carried itself. */
async function pictured() {
  const urls = [await use.upload(author), await use.upload(author)];
  const [inText = "", inMedia = ""] = urls;
  const { post } = await author.api.call(contract.posts.create, {
    topicId,
    title: "Pictures",
    content: img(inText) + img(dataUri(png(1, 1, 7))),
    media: { images: [inMedia] },
  });
  const carried = [...post.content.matchAll(/src="([^"]*)"/g)].map(([, src = ""]) => src).at(-1) ?? "";
  return { id: post.id, urls: [...urls, new URL(carried, "http://localhost:3000").href] };
}

describe("security F4: the pictures of a post", () => {
  it("are withheld while it is hidden, and restored with it", async () => {
    const post = await pictured();
    expect(await statuses(post.urls)).toEqual([200, 200, 200]);
    await hide(post.id, true);
    expect(await statuses(post.urls)).toEqual([404, 404, 404]);
    // Its author cannot show them elsewhere in the meantime.
    const again = makePost(author, topicId, "Again", img(post.urls[0] ?? ""));
    await again.catch(() => undefined);
    expect(await statuses(post.urls)).toEqual([404, 404, 404]);
    await hide(post.id, false);
    expect(await statuses(post.urls)).toEqual([200, 200, 200]);
  });

  it.each(["author", "staff"] as const)("are gone when the %s deletes it", async (who) => {
    const post = await pictured();
    const by = who === "author" ? author : owner;
    if (who === "staff") await hide(post.id, true);
    await by.api.call(contract.posts.delete, { postId: post.id });
    expect(await statuses(post.urls)).toEqual([404, 404, 404]);
    expect(await use.rowsOf(author)).toEqual([]);
    // Not even among withheld files.
    for (const url of post.urls) {
      const key = h.services.storage.keyOf(url) ?? "";
      await h.services.storage.restore(key);
      expect(await h.services.storage.read(key)).toBeNull();
    }
  });

  it("that its author shows elsewhere stay when the author deletes it, and are deleted when staff do", async () => {
    const url = await use.upload(author);
    const posts = await Promise.all([1, 2, 3].map((n) => makePost(author, topicId, `Post ${n}`, img(url))));
    const [first, second] = posts;
    await author.api.call(contract.posts.delete, { postId: first?.id ?? "" });
    expect(await use.status(url)).toBe(200);
    await owner.api.call(contract.posts.delete, { postId: second?.id ?? "" });
    expect(await use.status(url)).toBe(404);
  });

  it("of other users stay", async () => {
    const url = await use.upload(owner);
    const post = await makePost(author, topicId, "Not mine", img(url));
    await author.api.call(contract.posts.delete, { postId: post.id });
    expect(await use.status(url)).toBe(200);
  });

  it("are withheld and restored later if storage failed", async () => {
    const post = await pictured();
    const { storage } = h.services;
    const failing = { ...storage, withhold: () => Promise.reject(new Error("disk")) };
    await expect(
      clientWith(h, owner, { storage: failing }).call(contract.moderation.hidePost, {
        postId: post.id,
        hidden: true,
      }),
    ).rejects.toThrow();
    await sweepExpired(h.services);
    expect(await statuses(post.urls)).toEqual([404, 404, 404]);
    await hide(post.id, false);
    expect(await statuses(post.urls)).toEqual([200, 200, 200]);
  });

  it("security F19: of a recorded post stay, whatever their owner requests", async () => {
    const post = await pictured();
    await h.db.updateTable("posts").set({ record_count: 1 }).where("id", "=", post.id).execute();
    const ask = author.api.call(contract.uploads.delete, { urls: post.urls });
    expect(await refusalOf(ask)).toMatchObject({ status: 409, code: "post_recorded", field: "urls" });
    expect(await statuses(post.urls)).toEqual([200, 200, 200]);
  });
});

describe("security F4a: a picture that is edited out of a post", () => {
  const update = (
    user: TestUser,
    postId: string,
    change: { content?: string; media?: { images: string[] } },
  ) => user.api.call(contract.posts.update, { postId, ...change });

  it("is deleted with its row, from the text and from the media; what is still shown stays", async () => {
    const { id, urls } = await pictured();
    const [inText = "", inMedia = "", carried = ""] = urls;
    // Neither another field nor moving a picture from the media into the text removes one.
    await author.api.call(contract.posts.update, { postId: id, title: "Other words", tags: ["tag"] });
    await update(author, id, { content: img(inText) + img(inMedia), media: { images: [] } });
    expect(await statuses(urls)).toEqual([200, 200, 404]);
    await update(author, id, { content: img(inText), media: { images: [inMedia] } });
    expect(await statuses(urls)).toEqual([200, 200, 404]);
    await update(author, id, { media: { images: [] } });
    expect(await statuses(urls)).toEqual([200, 404, 404]);
    await update(author, id, { content: "<p>No pictures.</p>" });
    expect(await statuses(urls)).toEqual([404, 404, 404]);
    expect(await use.rowsOf(author)).toEqual([]);
    const key = h.services.storage.keyOf(carried) ?? "";
    expect(await h.services.storage.read(key)).toBeNull();
  });

  it("stays if its owner shows it elsewhere: in a post, as a picture of a topic, in the profile", async () => {
    const urls = [
      await use.upload(author),
      await use.upload(author),
      await use.upload(author),
      await use.upload(author, undefined, "avatar"),
    ];
    const [inPost = "", ofTopic = "", across = "", avatar = ""] = urls;
    const post = await makePost(author, topicId, "All of them", urls.map(img).join(""));
    await makePost(author, topicId, "One of them", img(inPost));
    const own = await makeTopic(author);
    await author.api.call(contract.topics.update, { topicId: own.id, image: ofTopic, banner: across });
    await author.api.call(contract.profile.setImage, { imageUrl: avatar });
    await update(author, post.id, { content: "<p>None.</p>" });
    expect(await statuses(urls)).toEqual(urls.map(() => 200));
  });

  it("stays if it is another user's, or the edit is refused", async () => {
    const url = await use.upload(owner);
    const post = await makePost(author, topicId, "Not mine", img(url));
    await update(author, post.id, { content: "<p>None.</p>" });
    expect(await use.status(url)).toBe(200);
    const mine = await pictured();
    for (const attempt of [
      () => update(owner, mine.id, { content: "<p>None.</p>" }),
      () => update(author, mine.id, { content: " ", media: { images: [] } }),
    ]) {
      expect(await refusalOf(attempt())).toMatchObject({ status: expect.any(Number) });
    }
    expect(await statuses(mine.urls)).toEqual([200, 200, 200]);
  });

  it("is deleted later if storage failed", async () => {
    const url = await use.upload(author);
    const post = await makePost(author, topicId, "One", img(url));
    const storage = { ...h.services.storage, remove: () => Promise.reject(new Error("disk")) };
    const failing = clientWith(h, author, { storage });
    const edit = failing.call(contract.posts.update, { postId: post.id, content: "<p>None.</p>" });
    await expect(edit).rejects.toThrow();
    const left = { ...h.services, now: () => new Date(Date.now() + 2 * 60 * 60 * 1000) };
    await sweepUploads(left);
    expect(await use.status(url)).toBe(404);
    expect(await use.rowsOf(author)).toEqual([]);
  });
});
