import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { sweepExpired } from "@/lib/runtime/housekeeping";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { dataUri, png } from "@/lib/testing/images";
import { addTo, clientWith, draftTitled, makePost, makeTopic, refusalOf, signIn } from "../testing";
import { uploadsOf } from "./testing";
import { sweepUnused } from "./used";

let h: Harness;
let use: ReturnType<typeof uploadsOf>;
let owner: TestUser;
let author: TestUser;
let topicId: string;
let clock = Date.now();
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
  use = uploadsOf(h);
  owner = await signIn(h, "owner");
  topicId = (await makeTopic(owner)).id;
});
afterAll(() => h.close());
beforeEach(async () => {
  owner = await h.login(owner.nickname);
  author = await signIn(h);
  await addTo(h.db, topicId, author);
});

const day = 24 * 60 * 60 * 1000;
/** As long as drafts may name what nothing shows. */
const kept = 7 * day;
const img = (src: string) => `<p>x</p><img src="${src}" alt="">`;
const statuses = (urls: readonly string[]) => Promise.all(urls.map((url) => use.status(url)));
const sweep = () => sweepExpired(h.services);

describe("security F19: uploads that nothing shows", () => {
  it("are removed with their rows after seven days, and not before", async () => {
    const urls = [await use.upload(author), await use.upload(author, undefined, "avatar")];
    clock += kept - 1000;
    await sweep();
    expect(await statuses(urls)).toEqual([200, 200]);
    clock += 2000;
    await sweep();
    expect(await statuses(urls)).toEqual([404, 404]);
    expect(await use.rowsOf(author)).toEqual([]);
  });

  it("stay as long as a draft of their owner or a post that waits for its time has them", async () => {
    const [draft, later, foreign] = [
      await use.upload(author),
      await use.upload(author),
      await use.upload(author),
    ];
    const save = (by: TestUser, ...urls: string[]) =>
      by.api.call(contract.drafts.save, {
        topicId,
        content: { ...draftTitled("Soon"), content: urls.map(img).join("") },
        version: null,
      });
    await save(author, draft);
    // A draft keeps nobody else's file.
    await save(owner, foreign);
    const publishAt = new Date(clock + 30 * day).toISOString();
    const { scheduled } = await author.api.call(contract.scheduled.create, {
      ...{ topicId, title: "Later", content: img(later), publishAt },
    });
    clock += kept + 1000;
    await sweep();
    expect(await statuses([draft, later, foreign])).toEqual([200, 200, 404]);
    author = await h.login(author.nickname);
    await author.api.call(contract.drafts.delete, { topicId });
    await author.api.call(contract.scheduled.cancel, { scheduledId: scheduled.id });
    await sweep();
    expect(await statuses([draft, later])).toEqual([404, 404]);
  });

  it("stay where a text, media, a topic, a profile, a comment or the chat names them, edited in or not", async () => {
    const urls = [];
    for (let i = 0; i < 8; i += 1) {
      urls.push(await use.upload(author, undefined, i === 4 ? "avatar" : undefined));
    }
    const [
      text = "",
      media = "",
      image = "",
      edited = "",
      avatar = "",
      comment = "",
      chat = "",
      changed = "",
    ] = urls;
    const { post } = await author.api.call(contract.posts.create, {
      topicId,
      title: "t",
      content: img(text),
      media: { images: [media] },
    });
    const own = await author.api.call(contract.topics.create, {
      title: "Mine",
      categoryId: (await h.guest.call(contract.categories.list, {})).categories[0]?.id ?? "",
      image,
    });
    await author.api.call(contract.topics.update, { topicId: own.topic.id, image: edited });
    await author.api.call(contract.profile.setImage, { imageUrl: avatar });
    await author.api.call(contract.comments.create, { postId: post.id, content: `Look: ${comment}` });
    await author.api.call(contract.chat.send, { topicId, message: `Look: ${chat}` });
    const second = await makePost(author, topicId);
    await author.api.call(contract.posts.update, { postId: second.id, content: img(changed) });
    clock += kept + 1000;
    await sweep();
    expect(await statuses(urls)).toEqual(urls.map(() => 200));
  });

  it("may be swept while a post is written: it is refused, and nothing of it stays", async () => {
    const url = await use.upload(author);
    clock += kept + 1000;
    const { storage } = h.services;
    const again = await h.login(author.nickname);
    // Between the look at the picture and the transaction; the second picture is stored in that time.
    const swept = clientWith(h, again, {
      storage: {
        ...storage,
        put: async (...file) => {
          await sweepUnused(h.services);
          await storage.put(...file);
        },
      },
    });
    const content = img(url) + img(dataUri(png(1, 1, 7)));
    expect(await refusalOf(swept.call(contract.posts.create, { topicId, title: "Late", content }))).toEqual({
      status: 400,
      code: "not_your_upload",
      field: "content",
    });
    expect(await use.rowsOf(author)).toEqual([]);
    const { posts } = await again.api.call(contract.posts.list, { topicId });
    expect(posts.filter(({ title }) => title === "Late")).toEqual([]);
  });
});

describe("security F19: the pictures of a deleted topic", () => {
  const remove = (id: string) => owner.api.call(contract.topics.delete, { topicId: id });

  it("go with it: its own, and those its posts show in text and media, hidden ones too", async () => {
    const { id } = await makeTopic(owner);
    await addTo(h.db, id, author);
    const image = await use.upload(owner);
    await owner.api.call(contract.topics.update, { topicId: id, image });
    const urls = [await use.upload(author), await use.upload(author), await use.upload(author)];
    const [text = "", media = "", hidden = ""] = urls;
    await author.api.call(contract.posts.create, {
      topicId: id,
      title: "t",
      content: img(text),
      media: { images: [media] },
    });
    const post = await makePost(author, id, "Hidden", img(hidden));
    await owner.api.call(contract.moderation.hidePost, { postId: post.id, hidden: true });
    await remove(id);
    expect(await statuses([image, ...urls])).toEqual([404, 404, 404, 404]);
    expect(await use.rowsOf(author)).toEqual([]);
    const { storage } = h.services;
    for (const url of [image, ...urls]) {
      const key = storage.keyOf(url) ?? "";
      await storage.restore(key);
      expect(await storage.read(key)).toBeNull();
    }
  });

  it("stay if their owner shows them elsewhere, or if they are another user's", async () => {
    const { id } = await makeTopic(owner);
    await addTo(h.db, id, author);
    const urls = [await use.upload(author), await use.upload(owner)];
    const [both = "", others = ""] = urls;
    await makePost(author, id, "Here", img(both) + img(others));
    await makePost(author, topicId, "There", img(both));
    await remove(id);
    expect(await statuses(urls)).toEqual([200, 200]);
  });

  it("of withdrawn users, including recorded ones", async () => {
    const { id } = await makeTopic(owner);
    await addTo(h.db, id, author);
    const url = await use.upload(author);
    const recorded = await use.upload(author);
    await makePost(author, id, "One", img(url));
    const post = await makePost(author, id, "Two", img(recorded));
    await h.db.updateTable("posts").set({ record_count: 1 }).where("id", "=", post.id).execute();
    await author.api.call(contract.profile.deleteAccount, {});
    await h.idle();
    const seen = await owner.api.call(contract.posts.list, { topicId: id });
    const shown = seen.posts.flatMap(({ content }) => /src="([^"]*)"/.exec(content)?.[1] ?? []);
    const addresses = shown.map((src) => new URL(src, "http://localhost:3000").href);
    expect(await statuses(addresses)).toEqual([200, 200]);
    await remove(id);
    expect(await statuses(addresses)).toEqual([404, 404]);
  });

  it("does not delete pictures for someone who may not delete the topic", async () => {
    const url = await use.upload(author);
    await makePost(author, topicId, "Stays", img(url));
    const refused = author.api.call(contract.topics.delete, { topicId });
    expect(await refusalOf(refused)).toMatchObject({ status: 403 });
    expect(await use.status(url)).toBe(200);
  });
});
