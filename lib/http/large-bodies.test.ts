import { readdir } from "node:fs/promises";
import os from "node:os";
import { afterEach, describe, expect, it, vi } from "vitest";
import { readerOf } from "./incoming";
import { maxBodyBytes, readBytes } from "./input";
import { bodyPlace } from "./large-bodies";

const limit = 20_000_000;
let names = 0;
const newcomer = () => {
  names += 1;
  return `user-${names}`;
};

const parts = (request: Request) => ({ headers: request.headers, body: readerOf(request) });

/** A request whose body is sent piece by piece. @param owner the sender; by default a new one each time */
function sender(owner = newcomer()) {
  const stream = new TransformStream<Uint8Array, Uint8Array>(
    undefined,
    { highWaterMark: 0 },
    { highWaterMark: 0 },
  );
  const writer = stream.writable.getWriter();
  const init: RequestInit & { duplex: "half" } = { method: "POST", body: stream.readable, duplex: "half" };
  const place = bodyPlace(owner);
  const read = readBytes(parts(new Request("http://localhost/", init)), limit, place);
  let state: "open" | "read" | "refused" = "open";
  read.then(
    () => {
      state = "read";
    },
    () => {
      state = "refused";
    },
  );
  return {
    place,
    read,
    state: () => state,
    /** Resolves when it was received. */
    send: (size: number, byte = 0) => writer.write(new Uint8Array(size).fill(byte)).catch(() => undefined),
    end: () => writer.close().catch(() => undefined),
  };
}

/** Sends a whole large body. */
async function whole(one: ReturnType<typeof sender>, size = maxBodyBytes + 1_000) {
  await one.send(maxBodyBytes);
  await one.send(size - maxBodyBytes);
  await one.end();
}

afterEach(() => {
  vi.useRealTimers();
});

describe("bodies beyond the usual size", () => {
  it("come back as they were sent, and leave no file behind", async () => {
    const one = sender();
    await one.send(maxBodyBytes, 1);
    await one.send(5, 2);
    await one.send(maxBodyBytes, 3);
    await one.end();
    const bytes = await one.read;
    expect([bytes.length, bytes[0], bytes[maxBodyBytes + 4], bytes.at(-1)]).toEqual([
      2 * maxBodyBytes + 5,
      1,
      2,
      3,
    ]);
    expect((await readdir(os.tmpdir())).filter((name) => name.startsWith("parley-body-"))).toEqual([]);
    one.place.release();
  });

  it("security F11: slow senders, however many, do not hold up anybody else", async () => {
    const slow = Array.from({ length: 6 }, () => sender());
    for (const one of slow) await one.send(maxBodyBytes + 1);
    const other = sender();
    await whole(other);
    expect((await other.read).length).toBe(maxBodyBytes + 1_000);
    expect(slow.map((one) => one.state())).toEqual(slow.map(() => "open"));
    for (const one of slow) {
      await one.end();
      // Two are in memory at once, until their responses.
      await one.read.finally(() => one.place.release());
      other.place.release();
    }
  });

  it("security F11: of one person are one at a time; a few wait, and more are refused", async () => {
    const [first, second, ...more] = Array.from({ length: 7 }, () => sender("ada"));
    if (!first || !second) throw new Error("seven were made");
    await first.send(maxBodyBytes + 1);
    for (const one of [second, ...more]) void one.send(maxBodyBytes + 1);
    await vi.waitFor(() => expect(more.map((one) => one.state())).toContain("refused"));
    const refused = more.filter((one) => one.state() === "refused");
    expect(refused).toHaveLength(2);
    for (const one of refused) await expect(one.read).rejects.toMatchObject({ code: "rate_limited" });
    await first.end();
    await first.read;
    void second.end();
    expect(second.state()).toBe("open");
    first.place.release();
    await second.read;
    for (const one of [second, ...more]) {
      void one.end();
      if (!refused.includes(one)) await one.read;
      one.place.release();
    }
  });

  it("are in memory two at once, until they are answered; small ones do not wait", async () => {
    const three = [sender(), sender(), sender()];
    for (const one of three) await whole(one);
    // The disk decides which two are complete first.
    const inMemory = () => three.filter((one) => one.state() === "read");
    await vi.waitFor(() => expect(inMemory()).toHaveLength(2));
    const small = sender();
    void small.send(maxBodyBytes);
    void small.end();
    expect((await small.read).length).toBe(maxBodyBytes);
    expect(inMemory()).toHaveLength(2);
    inMemory()[0]?.place.release();
    await Promise.all(three.map((one) => one.read));
    for (const one of [...three, small]) one.place.release();
  });

  it("408 body_too_slow for who pauses, or sends less than 50 KB a second", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    const [pausing, slow, steady] = [sender(), sender(), sender()];
    const all = [pausing, slow, steady];
    const refused = Promise.all(
      [pausing, slow].map((one) =>
        expect(one.read).rejects.toMatchObject({ code: "body_too_slow", status: 408 }),
      ),
    );
    /** Waits until the sent bytes are on disk and everyone not refused is waiting: each wait has its timer. */
    const awaited = async () => {
      const open = () => all.filter((one) => one.state() === "open").length;
      while (vi.getTimerCount() < open()) await new Promise((resolve) => setImmediate(resolve));
    };
    for (const one of all) await one.send(maxBodyBytes + 1);
    for (let second = 0; second < 25; second += 5) {
      await awaited();
      await vi.advanceTimersByTimeAsync(5_000);
      await Promise.all([slow.send(1_000), steady.send(300_000)]);
    }
    await refused;
    await steady.end();
    expect((await steady.read).length).toBe(maxBodyBytes + 1 + 1_500_000);
    for (const one of all) one.place.release();
  });

  it("413 where the limit is passed, said or not, and nothing more is taken", async () => {
    const lying = sender();
    const sent = Array.from({ length: 30 }, () => lying.send(1_000_000));
    await expect(lying.read).rejects.toMatchObject({ code: "body_too_large" });
    await Promise.all(sent);
    lying.place.release();
    const place = bodyPlace();
    const headers = { "content-length": String(limit + 1) };
    const honest = new Request("http://localhost/", { method: "POST", body: "x", headers });
    await expect(readBytes(parts(honest), limit, place)).rejects.toMatchObject({ code: "body_too_large" });
  });
});
