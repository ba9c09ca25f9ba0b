import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { openEvents } from "@/lib/testing/events";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, makePost, makeTopic, signIn } from "../testing";
import { notificationsOf } from "./testing";

let h: Harness;
let reader: TestUser;
let writer: TestUser;
let postId: string;
beforeAll(async () => {
  h = await createHarness();
  reader = await signIn(h, "reader");
  writer = await signIn(h, "writer");
  const { id: topicId } = await makeTopic(reader);
  await addTo(h.db, topicId, writer);
  postId = (await makePost(reader, topicId)).id;
});
afterAll(() => h.close());

const follow = (lastEventId?: string, user = reader) =>
  openEvents(h, contract.my.events, "/api/me/events", { token: user.token, lastEventId });
const comment = (content: string) => writer.api.call(contract.comments.create, { postId, content });

describe("GET /api/me/events", () => {
  it("sends the unread count first, then new notifications, and the count on every change, in every tab", async () => {
    const tabs = [await follow(), await follow()];
    for (const tab of tabs) expect((await tab.next()).event).toBe("unread");
    const before = tabs[0]?.all("unread")[0]?.unreadCount ?? -1;
    await comment("live");
    const [told] = await notificationsOf(reader);
    for (const tab of tabs) {
      expect(await tab.next("notification")).toEqual({ event: "notification", id: told?.id, data: told });
      await tab.until((events) => events.filter(({ event }) => event === "unread").length > 1);
      expect(tab.all("unread").at(-1)).toEqual({ unreadCount: before + 1 });
    }
    await reader.api.call(contract.notifications.read, { upTo: told?.id });
    for (const tab of tabs) {
      await tab.until((events) => events.filter(({ event }) => event === "unread").length > 2);
      expect(tab.all("unread").at(-1)).toEqual({ unreadCount: 0 });
      await tab.close();
    }
  });

  it("sends a reader who reconnects what they missed, nothing twice, and then new ones", async () => {
    const first = await follow();
    await comment("1");
    await first.next("notification");
    await first.close();
    await comment("2");
    await comment("3");
    const second = await follow(first.lastEventId);
    await second.until((events) => events.filter(({ event }) => event === "notification").length === 2);
    await comment("4");
    await second.until((events) => events.filter(({ event }) => event === "notification").length === 3);
    expect(second.all("notification").map(({ excerpt }) => excerpt)).toEqual(["2", "3", "4"]);
    expect(second.all("reset")).toEqual([]);
    await second.close();
  });

  it("resets a reader with an id that is unknown or of another user", async () => {
    await comment("theirs");
    const foreign = (await notificationsOf(reader))[0]?.id ?? "";
    for (const [id, user] of [
      [randomUUID(), reader],
      [foreign, writer],
    ] as const) {
      const stream = await follow(id, user);
      await stream.next("reset");
      expect(stream.all("notification")).toEqual([]);
      await stream.close();
    }
  });

  it("ends with the session", async () => {
    const again = await h.login(reader.nickname);
    const kept = await follow();
    const stream = await follow(undefined, again);
    await stream.next("unread");
    await again.api.call(contract.auth.logout, {});
    await stream.end();
    await comment("kept");
    await kept.next("notification");
    await kept.close();
  });

  it("401: a guest", async () => {
    expect((await h.send("GET", "/api/me/events")).status).toBe(401);
  });
});
