import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { globalAdmin } from "@/lib/community/posts/testing";
import { makePost, makeTopic, signIn } from "@/lib/community/testing";
import { contract, type ResponseBody } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { NotAnExport, verifyExport } from "./export";

/** Exports of both logs, as the API gives them, verified without it. */
let h: Harness;
let owner: TestUser;
let topicId: string;
let pages: ResponseBody<typeof contract.desk.log>[];
let topicPages: ResponseBody<typeof contract.moderation.log>[];
beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  topicId = (await makeTopic(owner)).id;
  const { api } = await globalAdmin(h);
  for (let i = 0; i < 5; i += 1) {
    const { id } = await makePost(owner, topicId);
    await api.call(contract.posts.delete, { postId: id, reason: `Grund „${i}“\n` });
  }
  pages = await pagesOf((cursor) => h.guest.call(contract.desk.log, { limit: 2, cursor }));
  topicPages = await pagesOf((cursor) => owner.api.call(contract.moderation.log, { topicId, cursor }));
});
afterAll(() => h.close());

async function pagesOf<Page extends { nextCursor: string | null }>(read: (cursor?: string) => Promise<Page>) {
  const found: Page[] = [];
  for (let cursor: string | undefined; found.length === 0 || cursor; ) {
    const page = await read(cursor);
    found.push(page);
    cursor = page.nextCursor ?? undefined;
  }
  return found;
}

const entries = () => pages.flatMap((page) => page.entries);
/** The entries, one of them with other fields. */
const changedAt = (index: number, change: object) =>
  entries().map((entry, at): object => (at === index ? { ...entry, ...change } : entry));
const lines = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join("\n");

describe("verifyExport", () => {
  it("accepts pages, a list of pages, entries and lines, in any order", () => {
    for (const text of [
      lines(pages),
      JSON.stringify(pages),
      JSON.stringify(entries()),
      lines(entries()),
      `${lines(entries().toReversed())}\n`,
    ]) {
      expect(verifyExport(text)).toMatchObject({ entries: 5, head: { seq: 5 }, fault: null });
    }
    expect(verifyExport(lines(topicPages), { topicId })).toMatchObject({ entries: 5, fault: null });
    expect(verifyExport("[]")).toEqual({ entries: 0, head: null, fault: null });
  });

  it("finds a change of any field, and where", () => {
    const changes = {
      at: "2020-01-01T00:00:00.000Z",
      action: "topic_deleted",
      role: "reviewer",
      actor: "0".repeat(64),
      targetKind: "comment",
      targetId: "x",
      topicId: null,
      reason: null,
      details: { fields: "title" },
      previousHash: "1".repeat(64),
      hash: "1".repeat(64),
    };
    for (const [name, value] of Object.entries(changes)) {
      for (const [index, entry] of entries().entries()) {
        const changed = changedAt(index, { [name]: value });
        expect(verifyExport(lines(changed)).fault, name).toMatchObject({ seq: entry.seq });
      }
    }
  });

  it("finds missing entries, also the newest where one was seen, and doubled ones", () => {
    const [newest, ...rest] = entries();
    expect(verifyExport(lines(rest)).fault).toBeNull();
    const seen = { seq: 5, hash: String(newest?.hash) };
    expect(verifyExport(lines(rest), { seen }).fault).toMatchObject({ seq: 5 });
    expect(verifyExport(lines(entries()), { seen }).fault).toBeNull();
    expect(verifyExport(lines(entries().toSpliced(2, 1))).fault).toMatchObject({ seq: 3 });
    expect(verifyExport(lines([...entries(), rest[0]])).fault).toMatchObject({ seq: 5 });
  });

  it("refuses what is not an export of this log", () => {
    expect(() => verifyExport("{")).toThrow(NotAnExport);
    expect(() => verifyExport(lines(topicPages))).toThrow(NotAnExport);
    expect(() => verifyExport(lines(pages), { topicId })).toThrow(NotAnExport);
    expect(verifyExport(lines(topicPages), { topicId: "other" }).fault).toMatchObject({ seq: 1 });
  });
});

it("npm run verify-log: says what it found by its status", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "parley-verify-log-"));
  const file = path.join(folder, "log.jsonl");
  const root = path.resolve(import.meta.dirname, "../..");
  const run = async (text: string, ...args: string[]) => {
    await writeFile(file, text);
    return await new Promise<{ status: unknown; said: string }>((resolve) => {
      const tsx = path.join(root, "node_modules/.bin/tsx");
      execFile(tsx, ["scripts/verify-log/main.ts", file, ...args], { cwd: root }, (error, out, err) =>
        resolve({ status: error?.code ?? 0, said: `${out}${err}`.trim() }),
      );
    });
  };
  try {
    const newest = entries()[0];
    expect(await run(lines(pages))).toEqual({
      status: 0,
      said: `5 entries hold; the newest is 5:${newest?.hash}`,
    });
    expect(await run(lines(topicPages), "--topic", topicId)).toMatchObject({ status: 0 });
    expect(await run(lines(changedAt(4, { reason: "Other." })))).toEqual({
      status: 1,
      said: "entry 1 is changed",
    });
    expect(await run("{")).toMatchObject({ status: 2 });
    expect(await run(lines(pages), "--seen", "x")).toMatchObject({ status: 2 });
  } finally {
    await rm(folder, { recursive: true });
  }
});
