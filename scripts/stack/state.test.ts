import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { RecordBoard } from "@/contracts";
import type { LocalChain } from "@/contracts/local-chain";
import { readPushKeys } from "@/lib/push/settings";
import { startChains } from "./chains";
import { Children } from "./children";
import { ContractBook } from "./contract-book";
import { DemoLedger } from "./demo";
import { lockHome } from "./lock";
import { freePorts } from "./ports";
import { loadSecrets } from "./secrets";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), "parley-state-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe("secrets", () => {
  it("are created once, kept, and readable by their owner only", async () => {
    const file = path.join(dir, "home", "secrets.json");
    const first = await loadSecrets(file);
    expect(await loadSecrets(file)).toEqual(first);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(first.SESSION_SECRET).not.toBe(first.USER_ID_SECRET);
  });

  it("gain the fields of a newer version and keep the others", async () => {
    const file = path.join(dir, "secrets.json");
    await writeFile(file, JSON.stringify({ SESSION_SECRET: "s".repeat(40) }));
    const secrets = await loadSecrets(file);
    expect(secrets.SESSION_SECRET).toBe("s".repeat(40));
    expect(secrets.idpSigningKeys).toHaveLength(1);
    const { VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT } = secrets;
    readPushKeys({ publicKey: VAPID_PUBLIC_KEY, privateKey: VAPID_PRIVATE_KEY, subject: VAPID_SUBJECT });
  });

  it.each(["not json", '{"SESSION_SECRET": "short"}'])(
    "are never overwritten when unreadable: %s",
    async (text) => {
      const file = path.join(dir, "secrets.json");
      await writeFile(file, text);
      await expect(loadSecrets(file)).rejects.toThrow("Move it away");
      expect(await readFile(file, "utf8")).toBe(text);
    },
  );
});

describe("one stack per home", () => {
  it("a second stack is refused until the first has stopped", async () => {
    const release = await lockHome(dir);
    await expect(lockHome(dir)).rejects.toThrow("Another Parley already runs");
    await release();
    await (await lockHome(dir))();
  });

  it("payments F11: is closed to other users, also one that an earlier version left open", async () => {
    const home = path.join(dir, "new", "home");
    await (await lockHome(home))();
    const open = path.join(dir, "open");
    await mkdir(open);
    await chmod(open, 0o755);
    await (await lockHome(open))();
    for (const one of [home, open]) expect((await stat(one)).mode & 0o777).toBe(0o700);
  });
});

describe("demo ledger", () => {
  it("runs a step once, also across starts, and deletes tokens at the end", async () => {
    const file = path.join(dir, "demo.json");
    const first = await DemoLedger.open(file);
    expect(await first.once("member:mina", async () => "token")).toBe("token");
    const second = await DemoLedger.open(file);
    expect(await second.once("member:mina", () => Promise.reject(new Error("ran twice")))).toBe("token");
    await second.finish();
    expect((await DemoLedger.open(file)).finished).toBe(true);
    expect(await readFile(file, "utf8")).not.toContain("token");
  });

  it("keeps nothing of a step that failed", async () => {
    const ledger = await DemoLedger.open(path.join(dir, "demo.json"));
    await expect(ledger.once("post:x", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await ledger.once("post:x", async () => "id")).toBe("id");
  });
});

describe("local chains", () => {
  let chainDir: string;
  beforeAll(async () => {
    chainDir = await mkdtemp(path.join(os.tmpdir(), "parley-chains-"));
  });
  afterAll(() => rm(chainDir, { recursive: true, force: true }));

  async function withChains<T>(work: (base: LocalChain, notes: string[]) => Promise<T>): Promise<T> {
    const [base = 0, arc = 0, giwa = 0, ethereum = 0] = await freePorts(4);
    const children = new Children(path.join(chainDir, "logs"), () => {});
    const notes: string[] = [];
    try {
      const ports = { 8453: base, 5042002: arc, 91342: giwa, 1: ethereum };
      const chains = await startChains(chainDir, ports, children, (text) => notes.push(text));
      expect(chains.map((c) => c.id)).toEqual([8453, 5042002, 91342, 1]);
      return await work(chains[0] ?? expect.fail("no chain"), notes);
    } finally {
      await children.stop();
    }
  }

  const board = (book: ContractBook, chain: LocalChain, fingerprint: string) =>
    book.ensure(chain, { name: "RecordBoard", fingerprint }, () => chain.deploy(RecordBoard));

  it("keep contracts over a restart, redeploy changed or missing ones, and survive a truncated state", async () => {
    const file = path.join(chainDir, "contracts.json");
    const first = await withChains(async (base) => board(await ContractBook.open(file), base, "a"));
    expect(first.deployed).toBe(true);

    await withChains(async (base) => {
      const book = await ContractBook.open(file);
      expect(await board(book, base, "a")).toEqual({ address: first.address, deployed: false });
      expect((await board(book, base, "b")).deployed).toBe(true);
      expect(await board(book, base, "b")).toMatchObject({ deployed: false });
    });

    const state = path.join(chainDir, "8453.json");
    await writeFile(state, (await readFile(state, "utf8")).slice(0, 1000));
    await withChains(async (base, notes) => {
      expect(notes.join()).toContain("cut off by a kill");
      // Back at the start of the second run: contract "b" is gone, and the chain has the last word.
      expect((await board(await ContractBook.open(file), base, "b")).deployed).toBe(true);
    });
  });
});
