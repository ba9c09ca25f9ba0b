import { existsSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { sweepExpired } from "@/lib/runtime/housekeeping";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { dataUri, gif, png } from "@/lib/testing/images";
import { makeTopic, refusalOf, signIn } from "../testing";
import { uploadsOf } from "./testing";

let h: Harness;
let ada: TestUser;
let use: ReturnType<typeof uploadsOf>;
let clock = Date.now();
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
  use = uploadsOf(h);
  ada = await signIn(h, "ada");
});
afterAll(() => h.close());

describe("DELETE /api/upload", () => {
  const remove = (user: TestUser, urls: string[]) => user.api.call(contract.uploads.delete, { urls });

  it("200: own files go, what is not ours is skipped", async () => {
    const user = await signIn(h);
    const [a, b] = [await use.upload(user), await use.upload(user, gif(), "topic")];
    const relative = new URL(b).pathname;
    const missing = a.replace(/[0-9a-f-]{36}/, "0b8f2b5e-9a3c-4a50-8b1f-0c2d5a4f7e61");
    const foreign = [
      "https://evil.example/a.png",
      dataUri(png()),
      "",
      "/uploads/x",
      a.replace(/\/(?=[^/]*$)/, "/%2e%2e%2f"),
    ];
    expect(await remove(user, [a, a, relative, missing, ...foreign])).toEqual({
      attempted: 3,
      deleted: 2,
      skipped: foreign.length,
    });
    expect([await use.status(a), await use.status(b)]).toEqual([404, 404]);
    expect(await use.rowsOf(user)).toEqual([]);
    expect(await remove(user, [a])).toEqual({ attempted: 1, deleted: 0, skipped: 0 });
    expect(await remove(user, [])).toEqual({ attempted: 0, deleted: 0, skipped: 0 });
  });

  it("400 not_your_upload with one file of another user, and nothing is deleted", async () => {
    const user = await signIn(h);
    const [mine, hers] = [await use.upload(user), await use.upload(ada)];
    const spelled = [
      hers,
      hers.replace(ada.userId, `${user.userId}/../${ada.userId}`),
      hers.replace("/posts/", "/posts/./%2e/"),
      new URL(hers).pathname,
    ];
    for (const url of spelled) {
      expect(await refusalOf(remove(user, [mine, url]))).toEqual({
        status: 400,
        code: "not_your_upload",
        field: "urls",
      });
    }
    expect([await use.status(mine), await use.status(hers)]).toEqual([200, 200]);
  });

  it("unusedOnly: what a post of the caller shows stays, in its text or media, until the post is deleted", async () => {
    const user = await signIn(h);
    const { id: topicId } = await makeTopic(user);
    const [inText, below, unused] = [await use.upload(user), await use.upload(user), await use.upload(user)];
    const { post } = await user.api.call(contract.posts.create, {
      topicId,
      title: "Two pictures",
      content: `<p>One:</p><img src="${inText}" alt="">`,
      media: { images: [below] },
    });
    const tidy = () =>
      user.api.call(contract.uploads.delete, { urls: [inText, below, unused], unusedOnly: true });
    expect(await tidy()).toEqual({ attempted: 1, deleted: 1, skipped: 2 });
    expect([await use.status(inText), await use.status(below), await use.status(unused)]).toEqual([
      200, 200, 404,
    ]);
    await user.api.call(contract.posts.delete, { postId: post.id });
    // They went with it.
    expect(await tidy()).toEqual({ attempted: 0, deleted: 0, skipped: 3 });
    expect([await use.status(inText), await use.status(below)]).toEqual([404, 404]);
  });

  it("removes a profile image with its file", async () => {
    const user = await signIn(h);
    const imageUrl = await use.upload(user, png(), "avatar");
    await user.api.call(contract.profile.setImage, { imageUrl });
    await remove(user, [imageUrl]);
    expect(await user.api.call(contract.profile.getImage, {})).toEqual({ profileImage: null });
  });

  it("401 for a guest, 400 for no list, 403 without a nickname", async () => {
    expect((await h.send("DELETE", "/api/upload", { body: { urls: [] } })).status).toBe(401);
    expect(await h.send("DELETE", "/api/upload", { token: ada.token, body: {} })).toMatchObject({
      status: 400,
      body: { field: "urls" },
    });
    expect(await refusalOf(remove(await h.login(), []))).toMatchObject({ code: "nickname_required" });
  });
});

describe("the sweep", () => {
  it("removes what was never finished, an hour after its address ended, and no other", async () => {
    const user = await signIn(h);
    const kept = await use.upload(user);
    const { publicUrl } = await use.announce(user);
    // As if the process had died between file and row.
    const key = h.services.storage.keyOf(publicUrl) ?? "";
    await h.services.storage.put(key, png(), "image/png");
    const file = path.join(h.uploadsFolder, key);
    await sweepExpired(h.services);
    expect(existsSync(file)).toBe(true);
    clock += 4_200_001;
    await sweepExpired(h.services);
    expect(existsSync(file)).toBe(false);
    expect(await use.rowsOf(user)).toMatchObject([{ stored: true }]);
    expect(await use.status(kept)).toBe(200);
  });
});
