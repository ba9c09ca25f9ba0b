import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { makeContext } from "@/lib/http/context";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { withRole } from "../desk/testing";
import { addTo, makePost, makeTopic, refusalOf, signIn } from "../testing";
import { readPrivateFeed } from "./private-feed";

let h: Harness;
let owner: TestUser;
let writer: TestUser;
let open: string;
let closed: string;
beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  writer = await signIn(h, "writer");
  open = (await makeTopic(writer)).id;
  closed = (await makeTopic(writer, "private")).id;
  for (const topicId of [open, closed]) await addTo(h.db, topicId, owner);
  await makePost(writer, open, "for everyone");
  await makePost(writer, closed, "for members");
  await makePost(writer, (await makeTopic(writer)).id, "elsewhere");
});
afterAll(() => h.close());

const make = async (user: TestUser) => (await user.api.call(contract.my.makeFeed, {})).url;
const tokenOf = (url: string) => /\/feeds\/([^/]+)\/feed\.xml$/.exec(url)?.[1] ?? "";
const read = async (url: string) => {
  const found = await readPrivateFeed(makeContext(h.services, null), tokenOf(url), 10);
  return found?.map(({ post, isOpen }) => [post.title, isOpen]) ?? null;
};

describe("the address of one's own feed", () => {
  it("gives whoever knows it what its owner follows, and says what not everyone may read", async () => {
    const url = await make(owner);
    expect(new URL(url).pathname).toMatch(/^\/feeds\/[\w-]{43}\/feed\.xml$/);
    expect(await read(url)).toEqual([
      ["for members", false],
      ["for everyone", true],
    ]);
    const kept = await h.db.selectFrom("private_feeds").selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain(tokenOf(url));
    await owner.api.call(contract.topics.leave, { topicId: closed });
    expect(await read(url)).toEqual([["for everyone", true]]);
    await addTo(h.db, closed, owner);
  });

  it("ends with a new one, and when it is ended", async () => {
    const first = await make(owner);
    const second = await make(owner);
    expect(await read(first)).toBeNull();
    expect(await read(second)).toHaveLength(2);
    expect((await owner.api.call(contract.my.feed, {})).createdAt).not.toBeNull();
    await owner.api.call(contract.my.endFeed, {});
    expect(await read(second)).toBeNull();
    expect(await owner.api.call(contract.my.feed, {})).toEqual({ createdAt: null });
    // The same answer without one.
    expect(await owner.api.call(contract.my.endFeed, {})).toEqual({ success: true });
  });

  it("gives nothing while its owner is suspended, and ends with the account", async () => {
    const operator = await withRole(h, "operator");
    const user = await signIn(h, "user");
    await addTo(h.db, open, user);
    const url = await make(user);
    expect(await read(url)).toHaveLength(1);
    const { userId } = user;
    await operator.api.call(contract.desk.sanction, { userId, kind: "suspend", reason: "Spam." });
    expect(await read(url)).toBeNull();
    await operator.api.call(contract.desk.lift, { userId, kind: "suspend" });
    expect(await read(url)).toHaveLength(1);
    const leaver = await signIn(h, "leaver");
    const last = await make(leaver);
    expect(await read(last)).toEqual([]);
    await leaver.api.call(contract.profile.deleteAccount, {});
    expect(await read(last)).toBeNull();
    expect(
      await h.db.selectFrom("private_feeds").selectAll().where("user_id", "=", leaver.userId).execute(),
    ).toEqual([]);
  });

  it("is nothing that could be guessed or made up", async () => {
    for (const token of ["", "a", "a".repeat(43), "../feed", "%"]) {
      expect(await readPrivateFeed(makeContext(h.services, null), token, 10)).toBeNull();
    }
    for (const op of [contract.my.feed, contract.my.makeFeed, contract.my.endFeed]) {
      expect(await refusalOf(h.guest.call(op, {}))).toMatchObject({ code: "not_authenticated" });
    }
  });
});
