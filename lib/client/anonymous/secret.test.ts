import "fake-indexeddb/auto";
import { beforeEach, describe, expect, it } from "vitest";
import { topicSecret } from "@/lib/proofs/anonymous/secret";
import { FIELD_MODULUS } from "@/lib/proofs/words";
import { mayHaveSecret } from "./flag";
import { PHRASE_WORDS, phraseIn, restoreSecret, showPhrase } from "./phrase";
import { ensureSecret, forgetSecret, phraseIsSaved, readSecret, secretState } from "./secret";
import { read } from "./store";

import { stubBrowser } from "./testing";

const [ada, bela] = ["u_ada", "u_bela"] as const;

beforeEach(async () => {
  stubBrowser();
  for (const user of [ada, bela]) await forgetSecret(user);
});

/** Everything in this browser's databases, as bytes. */
async function dump(): Promise<string> {
  const found: unknown[] = [];
  for (const { name = "" } of await indexedDB.databases()) {
    const db = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => resolve(request.result);
    });
    for (const store of db.objectStoreNames) {
      const all = db.transaction(store).objectStore(store).getAll();
      found.push(await new Promise((resolve) => (all.onsuccess = () => resolve(all.result))));
    }
    db.close();
  }
  const text = (value: unknown): string => {
    if (value instanceof ArrayBuffer) return text(new Uint8Array(value));
    if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
    if (typeof value !== "object" || value === null) return String(value);
    return Object.values(value).map(text).join(" ");
  };
  return text(found);
}

describe("a member's secret", () => {
  it("is made once, of 256 random bits, for each user", async () => {
    expect(await readSecret(ada)).toBeNull();
    expect(mayHaveSecret(ada)).toBe(false);
    const [one, two] = await Promise.all([ensureSecret(ada), ensureSecret(ada)]);
    expect(one).toHaveLength(32);
    expect(two).toEqual(one);
    expect(await ensureSecret(bela)).not.toEqual(one);
    expect(mayHaveSecret(ada)).toBe(true);
    expect(await secretState(ada)).toEqual({ isSaved: false, isPasskey: false });
  });

  it("is nowhere in the clear, and its key cannot be read", async () => {
    const secret = await ensureSecret(ada);
    const everything = await dump();
    expect(everything).toMatch(/\b[0-9a-f]{96}\b/);
    expect(everything).not.toContain(Buffer.from(secret).toString("hex"));
    const sealed = await read("secrets", ada);
    if (!sealed) throw new Error("no secret");
    await expect(crypto.subtle.exportKey("raw", sealed.key)).rejects.toThrow();
  });

  it("comes back from its words, on a device that has none or another", async () => {
    const secret = await ensureSecret(ada);
    const phrase = (await showPhrase(ada)) ?? [];
    expect(phrase).toHaveLength(PHRASE_WORDS);
    await phraseIsSaved(ada);
    expect(await secretState(ada)).toEqual({ isSaved: true, isPasskey: false });
    await forgetSecret(ada);
    expect([await showPhrase(ada), await readSecret(ada), mayHaveSecret(ada)]).toEqual([null, null, false]);
    await ensureSecret(ada);
    await restoreSecret(ada, `  ${phrase.join("\n ").toUpperCase()} `);
    expect(await readSecret(ada)).toEqual(secret);
    expect(await secretState(ada)).toEqual({ isSaved: true, isPasskey: false });
  });

  it("takes no words that are none, and changes nothing then", async () => {
    const secret = await ensureSecret(ada);
    const phrase = (await showPhrase(ada)) ?? [];
    const swapped = [phrase[1], phrase[0], ...phrase.slice(2)].join(" ");
    for (const wrong of ["", "abandon", phrase.slice(1).join(" "), `${phrase.join(" ")} zoo`]) {
      expect(phraseIn(wrong)).toBeNull();
      await expect(restoreSecret(ada, wrong)).rejects.toThrow("not the words");
    }
    // A checksum of 8 bits: one of 256 swaps goes through.
    if (phrase[0] !== phrase[1]) expect([null, swapped]).toContain(phraseIn(swapped));
    expect(await readSecret(ada)).toEqual(secret);
  });
});

describe("a topic's secret", () => {
  const [north, south] = ["6f0a1c9e-8d57-4b1e-9a43-0c5d2b7e1f01", "6f0a1c9e-8d57-4b1e-9a43-0c5d2b7e1f02"];

  it("is the same on every device, and another in every topic", async () => {
    const master = new Uint8Array(32).fill(7);
    // RFC 5869 with Python's hmac, reduced: 12 lines in docs/anonymous.md's terms, and no code of ours.
    expect(await topicSecret(master, north)).toBe(
      7447052011717891266136834788386623184868294068051291259411970884482094456298n,
    );
    expect(await topicSecret(master, north)).not.toBe(await topicSecret(master, south));
    expect(await topicSecret(new Uint8Array(32).fill(8), north)).not.toBe(await topicSecret(master, north));
    const secret = await topicSecret(master, north);
    expect(secret > 0n && secret < FIELD_MODULUS).toBe(true);
    await expect(topicSecret(new Uint8Array(31), north)).rejects.toThrow("32 bytes");
  });
});
