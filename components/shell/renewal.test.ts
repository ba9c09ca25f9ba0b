import { expect, it, vi } from "vitest";
import { createRenewal, RENEW_AFTER_MS } from "./renewal";

/** A renewal whose clock stands still and whose waits are over at once. */
function renewalOf(ageMs: number, renew: () => Promise<unknown>) {
  const waited: number[] = [];
  const clock = { now: 0 };
  const use = createRenewal(
    {
      renew,
      now: () => clock.now,
      wait: async (ms) => {
        waited.push(ms);
      },
    },
    ageMs,
  );
  return { use, waited, clock };
}

it("interface 7: a session is renewed while it is used, once an hour", async () => {
  const renew = vi.fn(async () => undefined);
  const { use, clock } = renewalOf(0, renew);
  await use();
  expect(renew).not.toHaveBeenCalled();
  clock.now = RENEW_AFTER_MS;
  await Promise.all([use(), use(), use()]);
  expect(renew).toHaveBeenCalledTimes(1);
  clock.now += RENEW_AFTER_MS;
  await use();
  expect(renew).toHaveBeenCalledTimes(2);
});

it("interface 7: a session that is due is renewed by the first page", async () => {
  const renew = vi.fn(async () => undefined);
  await renewalOf(6 * 24 * RENEW_AFTER_MS, renew).use();
  expect(renew).toHaveBeenCalledTimes(1);
});

it("newcomers A7: a renewal whose answer was lost is repeated within the minute", async () => {
  const renew = vi.fn(async () => undefined);
  renew
    .mockRejectedValueOnce(new TypeError("Failed to fetch"))
    .mockRejectedValueOnce(new TypeError("Failed to fetch"));
  const { use, waited } = renewalOf(RENEW_AFTER_MS, renew);
  await use();
  expect(renew).toHaveBeenCalledTimes(3);
  renew.mockRejectedValue(new TypeError("Failed to fetch"));
  const always = renewalOf(RENEW_AFTER_MS, renew);
  await always.use();
  expect([...always.waited].reduce((sum, ms) => sum + ms, 0)).toBeLessThan(60_000);
  expect(waited.length).toBe(3);
});
