import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, makePost, makeTopic, refusalOf, signIn } from "../testing";
import { sendDigests } from "./digest";
import { clearNotifications, notificationsOf } from "./testing";

let clock = Date.UTC(2026, 0, 1);
let h: Harness;
let writer: TestUser;
let reader: TestUser;
let topicId: string;
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
  writer = await signIn(h, "writer");
  reader = await signIn(h, "reader");
  topicId = (await makeTopic(writer)).id;
  await addTo(h.db, topicId, reader);
});
afterAll(() => h.close());
beforeEach(async () => {
  await reader.api.call(contract.notifications.setDigest, { every: "never" });
  await reader.api.call(contract.reading.readTopic, { topicId });
  await clearNotifications(h.db);
});

const choose = (every: "never" | "day" | "week") =>
  reader.api.call(contract.notifications.setDigest, { every });
const chosen = async () => (await reader.api.call(contract.notifications.settings, {})).digest;
const counts = async () =>
  (await notificationsOf(reader)).filter(({ kind }) => kind === "digest").map(({ details }) => details.count);
/** Lets days pass for digests only: sessions end after a week. */
async function pass(days: number): Promise<void> {
  clock += 1000;
  await sql`update digests set next_at = next_at - ${days} * interval '1 day'`.execute(h.db);
}
async function later(days: number): Promise<void> {
  await pass(days);
  await sendDigests(h.services);
}

describe("a digest", () => {
  it("comes a day after it was chosen, says how much is new, and nothing while that stays the same", async () => {
    expect(await chosen()).toBe("never");
    await choose("day");
    expect(await chosen()).toBe("day");
    await makePost(writer, topicId);
    await writer.api.call(contract.chat.send, { topicId, message: "Hello." });
    await later(0.9);
    expect(await counts()).toEqual([]);
    await later(0.2);
    const [digest] = await notificationsOf(reader);
    expect(digest).toMatchObject({
      kind: "digest",
      ...{ actor: null, topicId: null, topicTitle: null, postId: null, excerpt: null },
      details: { count: "2" },
    });
    await later(1);
    expect(await counts()).toEqual(["2"]);
    await makePost(writer, topicId);
    await later(1);
    expect(await counts()).toEqual(["3", "2"]);
    await reader.api.call(contract.reading.readTopic, { topicId });
    await later(1);
    expect(await counts()).toEqual(["3", "2"]);
  });

  it("comes once after a time away, and once from many processes", async () => {
    await choose("week");
    await makePost(writer, topicId);
    await pass(40);
    await Promise.all(Array.from({ length: 20 }, () => sendDigests(h.services)));
    expect(await counts()).toEqual(["1"]);
    await makePost(writer, topicId);
    await later(6);
    expect(await counts()).toEqual(["1"]);
    await later(1);
    expect(await counts()).toEqual(["2", "1"]);
  });

  it("says nothing of muted topics, to whoever turned it off, or left", async () => {
    await choose("day");
    await makePost(writer, topicId);
    await reader.api.call(contract.topics.mute, { topicId });
    await later(1);
    expect(await counts()).toEqual([]);
    await reader.api.call(contract.topics.unmute, { topicId });
    await choose("never");
    await later(8);
    expect(await counts()).toEqual([]);
    await choose("day");
    const kinds = ["digest"] as const;
    await reader.api.call(contract.notifications.setKinds, { kinds: [...kinds], inApp: false });
    await later(1);
    expect(await counts()).toEqual([]);
    await reader.api.call(contract.notifications.setKinds, { kinds: [...kinds], inApp: true });
  });

  it("400 for another rhythm, which changes nothing", async () => {
    await choose("week");
    const wrong = h.send("PUT", "/api/me/digest", { token: reader.token, body: { every: "hour" } });
    expect(await wrong).toMatchObject({ status: 400, body: { field: "every" } });
    expect(await chosen()).toBe("week");
    expect(await refusalOf(h.guest.call(contract.notifications.setDigest, { every: "day" }))).toMatchObject({
      code: "not_authenticated",
    });
  });
});
