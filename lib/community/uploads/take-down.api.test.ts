import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { sweepExpired } from "@/lib/runtime/housekeeping";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { dataUri, png } from "@/lib/testing/images";
import { clientWith, makePost, makeTopic, refusalOf, signIn } from "../testing";
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
  it("are out of reach while it is hidden, and come back with it", async () => {
    const post = await pictured();
    expect(await statuses(post.urls)).toEqual([200, 200, 200]);
    await hide(post.id, true);
    expect(await statuses(post.urls)).toEqual([404, 404, 404]);
    // Nor can its author show them elsewhere meanwhile.
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
    // Not even where withheld ones lie.
    for (const url of post.urls) {
      const key = h.services.storage.keyOf(url) ?? "";
      await h.services.storage.restore(key);
      expect(await h.services.storage.read(key)).toBeNull();
    }
  });

  it("that its author shows elsewhere stay when the author deletes it, and go when the staff do", async () => {
    const url = await use.upload(author);
    const posts = await Promise.all([1, 2, 3].map((n) => makePost(author, topicId, `Post ${n}`, img(url))));
    const [first, second] = posts;
    await author.api.call(contract.posts.delete, { postId: first?.id ?? "" });
    expect(await use.status(url)).toBe(200);
    await owner.api.call(contract.posts.delete, { postId: second?.id ?? "" });
    expect(await use.status(url)).toBe(404);
  });

  it("of somebody else stay", async () => {
    const url = await use.upload(owner);
    const post = await makePost(author, topicId, "Not mine", img(url));
    await author.api.call(contract.posts.delete, { postId: post.id });
    expect(await use.status(url)).toBe(200);
  });

  it("go and come back after all when storage failed meanwhile", async () => {
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

  it("security F19: of one that was recorded stay, whatever their owner asks", async () => {
    const post = await pictured();
    await h.db.updateTable("posts").set({ record_count: 1 }).where("id", "=", post.id).execute();
    const ask = author.api.call(contract.uploads.delete, { urls: post.urls });
    expect(await refusalOf(ask)).toMatchObject({ status: 409, code: "post_recorded", field: "urls" });
    expect(await statuses(post.urls)).toEqual([200, 200, 200]);
  });
});
