import { afterAll, beforeEach, expect, it } from "vitest";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { createAppKeys } from "./app-keys";
import { signingKeys } from "./signing-keys";

const DAY = 86_400_000;
let clock: number;
let h: Harness | undefined;
beforeEach(async () => {
  await h?.close();
  clock = Date.now();
  h = await createHarness({ now: () => new Date(clock) });
});
afterAll(() => h?.close());

function services() {
  if (!h) throw new Error("no harness");
  return h.services;
}

/** The ids of the keys in force, the one that signs first. */
const kids = async () => (await signingKeys(services())).map(({ kid }) => kid);

it("makes one key, of processes that start at the same time", async () => {
  const all = await Promise.all(Array.from({ length: 5 }, kids));
  expect(new Set(all.flat()).size).toBe(1);
  const [key] = await signingKeys(services());
  expect(key).toMatchObject({ kty: "RSA", alg: "RS256", use: "sig", kid: all[0]?.[0] });
  const rows = await services().db.selectFrom("app_signing_keys").select("sealed").execute();
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(String(key?.d));
});

it("publishes the next one a day before it signs, and the former one after", async () => {
  const [first] = await kids();
  clock += 90 * DAY - 1;
  expect(await kids()).toEqual([first]);
  clock += 1;
  const due = await kids();
  const [signs, second] = due;
  expect([due.length, signs]).toEqual([2, first]);
  clock += DAY - 1;
  expect(await kids()).toEqual([first, second]);
  clock += 1;
  expect(await kids()).toEqual([second, first]);
  // Those before the former one are gone in the end.
  for (let n = 0; n < 4; n += 1) {
    clock += 91 * DAY;
    await kids();
  }
  const left = await services().db.selectFrom("app_signing_keys").select("number").execute();
  expect(left).toHaveLength(3);
  expect(await kids()).not.toContain(first);
});

it("begins anew where the secret has changed", async () => {
  const [first] = await kids();
  const apps = createAppKeys(new TextEncoder().encode("another secret, long enough to be one"));
  const renewed = await signingKeys({ ...services(), apps });
  expect(renewed).toHaveLength(1);
  expect(renewed[0]?.kid).not.toBe(first);
});
