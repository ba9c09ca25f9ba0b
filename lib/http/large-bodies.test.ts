import { afterEach, describe, expect, it, vi } from "vitest";
import { maxBodyBytes, readBytes } from "./body";
import { bodyPlace } from "./large-bodies";

const limit = 20_000_000;

/** A request whose body is sent piece by piece. */
function sender() {
  const stream = new TransformStream<Uint8Array, Uint8Array>(
    undefined,
    { highWaterMark: 0 },
    { highWaterMark: 0 },
  );
  const writer = stream.writable.getWriter();
  const init: RequestInit & { duplex: "half" } = { method: "POST", body: stream.readable, duplex: "half" };
  const place = bodyPlace();
  let taken = 0;
  return {
    place,
    read: readBytes(new Request("http://localhost/", init), limit, place),
    /** Bytes that were taken so far. */
    taken: () => taken,
    send: (size: number) => {
      void writer.write(new Uint8Array(size)).then(
        () => {
          taken += size;
        },
        () => undefined,
      );
    },
    end: () => void writer.close().catch(() => undefined),
  };
}
const settle = async () => {
  for (let i = 0; i < 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

afterEach(() => {
  vi.useRealTimers();
});

describe("bodies beyond the usual size", () => {
  it("are two at once; the third waits until one is answered, small ones do not", async () => {
    const large = [sender(), sender(), sender()];
    for (const one of large) {
      one.send(maxBodyBytes);
      one.send(1000);
      one.send(1000);
    }
    await settle();
    expect(large.map((one) => one.taken())).toEqual([
      maxBodyBytes + 2000,
      maxBodyBytes + 2000,
      maxBodyBytes + 1000,
    ]);

    const small = sender();
    small.send(maxBodyBytes);
    small.end();
    expect((await small.read).length).toBe(maxBodyBytes);
    small.place.release();

    const [first, second, third] = large;
    if (!first || !second || !third) throw new Error("three were made");
    first.end();
    expect((await first.read).length).toBe(maxBodyBytes + 2000);
    await settle();
    // Read, but not answered: it is still in memory.
    expect(third.taken()).toBe(maxBodyBytes + 1000);
    first.place.release();
    await settle();
    expect(third.taken()).toBe(maxBodyBytes + 2000);
    for (const one of [second, third]) {
      one.end();
      await one.read;
      one.place.release();
      one.place.release();
    }
  });

  it("408 body_too_slow for who pauses, or takes too long altogether; the place is free again", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    const pausing = sender();
    const slow = sender();
    const refused = Promise.all(
      [pausing, slow].map((one) =>
        expect(one.read).rejects.toMatchObject({ code: "body_too_slow", status: 408 }),
      ),
    );
    for (const one of [pausing, slow]) one.send(maxBodyBytes + 1);
    await settle();
    for (let second = 0; second < 125; second += 5) {
      slow.send(1000);
      await vi.advanceTimersByTimeAsync(5_000);
      await settle();
    }
    await refused;
    expect(pausing.taken()).toBe(maxBodyBytes + 1);
    expect(slow.taken()).toBeGreaterThan(maxBodyBytes + 20_000);
    for (const one of [pausing, slow]) one.place.release();
    const next = sender();
    next.send(maxBodyBytes + 1);
    next.end();
    expect((await next.read).length).toBe(maxBodyBytes + 1);
    next.place.release();
  });

  it("413 where the limit is passed, said or not, and nothing more is taken", async () => {
    const lying = sender();
    for (let i = 0; i < 30; i += 1) lying.send(1_000_000);
    await expect(lying.read).rejects.toMatchObject({ code: "body_too_large" });
    expect(lying.taken()).toBeLessThanOrEqual(limit + 1_000_000);
    lying.place.release();
    const place = bodyPlace();
    const headers = { "content-length": String(limit + 1) };
    const honest = new Request("http://localhost/", { method: "POST", body: "x", headers });
    await expect(readBytes(honest, limit, place)).rejects.toMatchObject({ code: "body_too_large" });
  });
});
