import "fake-indexeddb/auto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { signIn } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { codeOf, fragmentOf, give, handOverIn, newHandOver, receive } from "./hand-over";
import { ensureSecret, forgetSecret, readSecret } from "./secret";
import { stubBrowser } from "./testing";

let h: Harness;
let user: TestUser;
beforeAll(async () => {
  stubBrowser();
  h = await createHarness();
});
afterAll(() => h.close());
beforeEach(async () => {
  user = await signIn(h, "member");
});
const never = new AbortController().signal;

it("a secret goes to the device that shows the code, and no request has it or its key", async () => {
  const secret = await ensureSecret(user.userId);
  const handOver = newHandOver();
  const read = handOverIn(fragmentOf(handOver));
  if (!read) throw new Error("the address was not read");
  expect(await codeOf(read)).toBe(await codeOf(handOver));
  expect(await codeOf(newHandOver())).toMatch(/^\d{6}$/);
  await give(user.api, user.userId, read);
  const { sealed } = await user.api.call(contract.sealed.take, { id: handOver.id });
  expect(sealed).toHaveLength(80);
  await forgetSecret(user.userId);
  expect(await receive(user.api, user.userId, handOver, never)).toBe(true);
  expect(await readSecret(user.userId)).toEqual(secret);
});

it("what was changed on the way, or is another account's, is not taken", async () => {
  await ensureSecret(user.userId);
  const handOver = newHandOver();
  await give(user.api, user.userId, handOver);
  const { sealed } = await user.api.call(contract.sealed.take, { id: handOver.id });
  const changed = `${sealed?.slice(0, 40)}${sealed?.[40] === "A" ? "B" : "A"}${sealed?.slice(41)}`;
  await user.api.call(contract.sealed.leave, { id: handOver.id, sealed: changed });
  await forgetSecret(user.userId);
  await expect(receive(user.api, user.userId, handOver, never)).rejects.toThrow();
  expect(await readSecret(user.userId)).toBeNull();
  // Nor does anybody else find it.
  const other = await signIn(h, "other");
  expect(await other.api.call(contract.sealed.take, { id: handOver.id })).toEqual({ sealed: null });
  await other.api.call(contract.sealed.leave, { id: handOver.id, sealed: sealed ?? "" });
  await expect(receive(other.api, other.userId, handOver, never)).rejects.toThrow();
});

it("waits five minutes, or until it is left", async () => {
  let seconds = 0;
  const wait = async () => void seconds++;
  expect(await receive(user.api, user.userId, newHandOver(), never, wait)).toBe(false);
  expect(seconds).toBe(300);
  const left = new AbortController();
  left.abort();
  expect(await receive(user.api, user.userId, newHandOver(), left.signal, wait)).toBe(false);
  for (const wrong of ["", "#give=", "#give=short.short", `${fragmentOf(newHandOver())}x`])
    expect(handOverIn(wrong)).toBeNull();
});
