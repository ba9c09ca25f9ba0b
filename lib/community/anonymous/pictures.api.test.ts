import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { jpeg, png } from "@/lib/testing/images";
import { makeTopic, refusalOf, signIn } from "../testing";
import { forgetPictureSlots } from "./pictures";
import { crowdOf, type Insider, standInMemberships } from "./testing";

const DAY = 24 * 60 * 60_000;
let clock = Date.UTC(2026, 10, 28, 12, 3);
let h: Harness;
let owner: TestUser;
let topicId: string;
let author: Insider;
let other: Insider;

const setClock = (at: number) => {
  clock = at;
};
const dataUri = (bytes: Buffer, type = "image/png") => `data:${type};base64,${bytes.toString("base64")}`;
const show = (src: string) => `<p>Look.</p><p><img src="${src}" alt="The plan" /></p>`;

beforeAll(async () => {
  h = await createHarness({
    now: () => new Date(clock),
    env: { ANONYMOUS_MINIMUM: "2" },
    memberships: standInMemberships,
  });
});
afterAll(() => h.close());
beforeEach(async () => {
  clock += DAY;
  owner = await signIn(h, "owner");
  topicId = (await makeTopic(owner)).id;
  const [one, two] = await crowdOf(h, topicId, 2, setClock);
  if (!one || !two) throw new Error("nobody is there");
  [author, other] = [one, two];
});

const uploads = () =>
  h.db.selectFrom("uploads").select(["key", "stored", "used"]).where("user_id", "=", "anonymous").execute();
const bytesAt = async (src: string) => {
  const response = await h.fetch(src);
  return response.ok ? Buffer.from(await response.arrayBuffer()) : null;
};

describe("a picture for an anonymous post", () => {
  it("is stored without metadata, under the digest of what is stored, and shown by the post", async () => {
    const described = Buffer.concat([jpeg().subarray(0, 2), exif("GPS 52.52 13.40"), jpeg().subarray(2)]);
    expect(described.includes("GPS")).toBe(true);
    const { src } = await author.addPicture(dataUri(described, "image/jpeg"));
    const stored = await bytesAt(src);
    if (!stored) throw new Error("it is not there");
    expect(stored.includes("GPS")).toBe(false);
    const digest = createHash("sha256").update(stored).digest("base64url");
    expect(src).toMatch(new RegExp(`^/uploads/[a-z]+/posts/anonymous/[0-9a-f-]{36}/${digest}\\.jpg$`));
    const { postId } = await author.writePost(0, { content: show(src) });
    const { post } = await h.guest.call(contract.posts.get, { postId });
    expect(post.content).toBe(show(src));
    const key = src.slice("/uploads/".length);
    expect(await uploads()).toContainEqual({ key, stored: true, used: true });
    // It goes with the post.
    await author.deleteText(postId);
    expect(await bytesAt(src)).toBeNull();
    expect((await uploads()).some((row) => row.key === key)).toBe(false);
  });

  it("waits with a post that waits for review", async () => {
    await owner.api.call(contract.topics.update, { topicId, reviewWords: ["salary"] });
    const { src } = await author.addPicture(dataUri(png(1, 1, 9)));
    const { postId } = await author.writePost(0, { content: `<p>My salary.</p>${show(src)}` });
    expect(await bytesAt(src)).toBeNull();
    await owner.api.call(contract.moderation.hidePost, { postId, hidden: false });
    expect(await bytesAt(src)).not.toBeNull();
  });

  it("is answered the same when it is sent again, and takes one slot", async () => {
    const body = await author.picture(dataUri(png(1, 1, 1)), 3);
    const before = (await uploads()).length;
    const add = () => h.guest.call(contract.anonymous.picture, body);
    const answers = await Promise.all(Array.from({ length: 5 }, add));
    answers.push(await add());
    expect(new Set(answers.map(({ src }) => src)).size).toBe(1);
    expect(await uploads()).toHaveLength(before + 1);
    expect(await refusalOf(author.addPicture(dataUri(png(1, 1, 2)), 3))).toMatchObject({
      ...{ status: 409, code: "slot_used", field: "membership.slotNullifier" },
    });
    await author.addPicture(dataUri(png(1, 1, 2)), 4);
    await other.addPicture(dataUri(png(1, 1, 2)), 3);
    await expect(author.picture(dataUri(png()), LIMITS.anonymous.picturesPerDay)).rejects.toThrow();
  });

  it("needs a proof for exactly these bytes, by a member who is not banned", async () => {
    const body = await author.picture(dataUri(png(1, 1, 5)));
    const add = (changed: object) =>
      refusalOf(h.guest.call(contract.anonymous.picture, { ...body, ...changed }));
    expect(await add({ image: dataUri(png(1, 1, 6)) })).toMatchObject({ code: "membership_invalid" });
    const { membership } = await author.picture(dataUri(png(1, 1, 5)), 1);
    const { slotNullifier } = membership;
    expect(await add({ membership: { ...body.membership, slotNullifier } })).toMatchObject({
      code: "membership_invalid",
    });
    const { postId } = await author.writePost();
    await owner.api.call(contract.anonymous.ban, { postId, weeks: 1, reason: "r" });
    // The ban is on the list of whoever asks from now on.
    clock += 1;
    await expect(author.picture(dataUri(png(1, 1, 5)))).rejects.toThrow("banned");
    clock += 3 * 60_000;
    expect(await add({})).toMatchObject({ status: 409, code: "terms_expired" });
    await owner.api.call(contract.topics.update, { topicId, anonymous: "comments" });
    expect(await refusalOf(other.addPicture(dataUri(png())))).toMatchObject({ code: "anonymous_off" });
  });

  it("is refused with a session, when it is no picture, and when it is too large; nothing is kept", async () => {
    const before = (await uploads()).length;
    const { topicId: _, ...body } = { ...(await author.picture(dataUri(png()))) };
    const answer = await h.send("POST", `/api/topics/${topicId}/anonymous/pictures`, {
      body,
      token: owner.token,
    });
    expect(answer).toMatchObject({ status: 400, body: { code: "credentials_not_allowed" } });
    expect(await refusalOf(author.addPicture("data:text/html;base64,AAAA"))).toMatchObject({
      ...{ code: "upload_type", field: "image" },
    });
    expect(await refusalOf(author.addPicture(dataUri(Buffer.from("not a picture"))))).toMatchObject({
      ...{ code: "upload_type", field: "image" },
    });
    const large = Buffer.concat([png(), Buffer.alloc(LIMITS.anonymous.pictureBytes)]);
    expect(await refusalOf(author.addPicture(dataUri(large)))).toMatchObject({
      ...{ status: 413, code: "upload_too_large", field: "image" },
    });
    expect(await uploads()).toHaveLength(before);
  });

  it("is the only image that an anonymous post shows, and not one that is gone", async () => {
    const form = new FormData();
    form.set("file", new File([new Uint8Array(png())], "a.png"));
    const headers = { authorization: `Bearer ${owner.token}` };
    const uploaded = await h.fetch("/api/upload", { method: "POST", body: form, headers });
    const { publicUrl } = contract.uploads.create.responses[201].parse(await uploaded.json());
    const named = new URL(publicUrl).pathname;
    const { src } = await author.addPicture(dataUri(png(1, 1, 8)));
    const gone = `${src.slice(0, src.lastIndexOf("/"))}/${"A".repeat(43)}.png`;
    for (const [at, code] of [
      [named, "invalid_request"],
      ["https://elsewhere.example/a.png", "invalid_request"],
      [`http://localhost:3000${src}`, "invalid_request"],
      [gone, "not_your_upload"],
    ] as const)
      expect(await refusalOf(author.writePost(0, { content: show(at) })), at).toMatchObject({
        ...{ code, field: "content" },
      });
    const many = await Promise.all(
      Array.from({ length: LIMITS.post.images + 1 }, (_, i) =>
        author.addPicture(dataUri(png(1, 1, 20 + i)), 1 + i),
      ),
    );
    const content = many.map((one) => show(one.src)).join("");
    expect(await refusalOf(author.writePost(0, { content }))).toMatchObject({ field: "content" });
  });

  it("leaves no slot behind once its day is over, and no picture that nothing shows for a week", async () => {
    const { src } = await author.addPicture(dataUri(png(1, 1, 11)));
    const slots = () =>
      h.db.selectFrom("anonymous_pictures").select("key").where("topic_id", "=", topicId).execute();
    await forgetPictureSlots(h.services);
    expect(await slots()).toHaveLength(1);
    clock += 2 * DAY;
    await forgetPictureSlots(h.services);
    expect(await slots()).toEqual([]);
    expect(await bytesAt(src)).not.toBeNull();
  });
});

/** An APP1 segment. */
function exif(text: string): Buffer {
  const data = Buffer.from(`Exif\0\0${text}`);
  return Buffer.concat([Buffer.from([0xff, 0xe1, 0, data.length + 2]), data]);
}
