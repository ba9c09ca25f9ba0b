import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fakeStorage } from "../testing/storage";
import { fileStore } from "./store.server";
import { localStorageStore, memoryStore, type PaymentRecord, type PaymentStore } from "./stores";

const record: PaymentRecord = {
  circuit: "oidc_domain_attestation",
  paymentSignature: "e30=",
  paymentNonce: `0x${"01".repeat(32)}`,
  requestHash: `0x${"02".repeat(32)}`,
  network: "eip155:8453",
  payer: "0x00000000000000000000000000000000000000A1",
  amount: "100000",
  encryptionKey: null,
  validBefore: 1_800_000_000,
  jobToken: null,
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "payments-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const stores: Record<string, () => PaymentStore> = {
  memory: memoryStore,
  localStorage: () => {
    const storage = fakeStorage();
    return localStorageStore(() => storage);
  },
  file: () => fileStore(path.join(folder, "new")),
};

describe.each(Object.entries(stores))("%s store", (_name, create) => {
  it("keeps, replaces and forgets a record by any key", async () => {
    const store = create();
    const key = "../../etc/passwd \u0000 é";
    expect(await store.get(key)).toBeNull();
    await store.set(key, record);
    await store.set(key, { ...record, jobToken: "job" });
    expect(await store.get(key)).toEqual({ ...record, jobToken: "job" });
    expect(await store.get("other")).toBeNull();
    await store.delete(key);
    expect(await store.get(key)).toBeNull();
  });

  it("runs one at a time per key, also after a failure", async () => {
    const store = create();
    let inside = 0;
    const run = (fails: boolean) => async () => {
      expect(++inside).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside--;
      if (fails) throw new Error("failed");
      return "ok";
    };
    const results = await Promise.allSettled(
      [true, false, true, false].map((fails) => store.exclusive("k", run(fails))),
    );
    expect(results.map((result) => result.status)).toEqual([
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
  });
});

describe("file store", () => {
  it("is readable by its owner only, and leaves nothing else behind", async () => {
    const inner = path.join(folder, "new");
    const store = fileStore(inner);
    await store.exclusive("k", () => store.set("k", record));
    const [file, ...rest] = await readdir(inner);
    expect(rest).toEqual([]);
    expect((await stat(path.join(inner, file ?? ""))).mode & 0o777).toBe(0o600);
    expect((await stat(inner)).mode & 0o777).toBe(0o700);
  });

  it("is shared by programs, and does not wait for one that died", async () => {
    const [one, two] = [fileStore(folder), fileStore(folder)];
    const order: string[] = [];
    const second = await one.exclusive("k", async () => {
      order.push("in");
      const waits = two.exclusive("k", async () => order.push("second"));
      await new Promise((resolve) => setTimeout(resolve, 30));
      order.push("out");
      return { waits };
    });
    await second.waits;
    expect(order).toEqual(["in", "out", "second"]);
    await one.set("k", record);
    const [name] = await readdir(folder);
    // No process has this number: Linux ends at 2^22.
    await writeFile(path.join(folder, `${name}.lock`), "99999999");
    expect(await two.exclusive("k", async () => "went on")).toBe("went on");
  });

  it("does not take an unreadable payment for none", async () => {
    const store = fileStore(folder);
    await store.set("k", record);
    const [name] = await readdir(folder);
    await writeFile(path.join(folder, name ?? ""), '{"circuit":');
    await expect(store.get("k")).rejects.toMatchObject({ code: "STORE_FAILED" });
  });
});

describe("localStorage store", () => {
  it("says so when the browser keeps nothing", async () => {
    const store = localStorageStore(() => {
      throw new DOMException("denied", "SecurityError");
    });
    await expect(store.get("k")).rejects.toMatchObject({ code: "STORE_FAILED" });
    const full = { ...fakeStorage(), setItem: () => expect.fail("quota") };
    await expect(localStorageStore(() => full).set("k", record)).rejects.toMatchObject({
      code: "STORE_FAILED",
    });
  });
});
