import { describe, expect, it, vi } from "vitest";

vi.mock("@/lib/http/page", () => ({ pageContext: () => Promise.reject(new Error("not asked for here")) }));
const { topicsWithGate } = await import("./search");

type Input = Parameters<typeof topicsWithGate>[1];

/** Pages of 100 topics, every `nth` of which asks for a domain; cursors count topics. */
function shelf(size: number, nth: number) {
  const asked: (string | undefined)[] = [];
  const readPage = ({ cursor }: Input) => {
    asked.push(cursor);
    const from = Number(cursor ?? 0);
    const topics = Array.from({ length: Math.min(100, size - from) }, (_, i) => ({
      id: String(from + i),
      proofType: (from + i) % nth === 0 ? ("workspace_a" as const) : ("none" as const),
    }));
    const nextCursor = from + 100 < size ? String(from + 100) : null;
    return Promise.resolve({ ok: true, value: { topics, nextCursor } } as const);
  };
  return { asked, readPage };
}

describe("topics with one kind of gate", () => {
  it("are looked for until enough are found, and nothing is passed over", async () => {
    const { asked, readPage } = shelf(1000, 10);
    const first = await topicsWithGate("domain", {}, readPage);
    expect(asked).toEqual([undefined, "100"]);
    expect(first.ok && first.value.topics.map(({ id }) => Number(id))).toEqual(
      Array.from({ length: 20 }, (_, i) => i * 10),
    );
    const second = await topicsWithGate("domain", { cursor: "200" }, readPage);
    expect(second.ok && second.value.topics[0]?.id).toBe("200");
  });

  it("are given up for now when they are rare, and looked for from there on", async () => {
    const { asked, readPage } = shelf(2000, 5000);
    const first = await topicsWithGate("domain", { cursor: "100" }, readPage);
    expect(asked).toEqual(["100", "200", "300", "400", "500"]);
    expect(first).toEqual({ ok: true, value: { topics: [], nextCursor: "600" } });
  });

  it("end with the last topic", async () => {
    const { readPage } = shelf(30, 1);
    const all = await topicsWithGate("domain", {}, readPage);
    expect(all.ok && [all.value.topics.length, all.value.nextCursor]).toEqual([30, null]);
    expect(await topicsWithGate("country", {}, readPage)).toEqual({
      ok: true,
      value: { topics: [], nextCursor: null },
    });
  });

  it("are refused as the list is", async () => {
    const refused = { ok: false, code: "category_not_found", message: "Category not found." } as const;
    expect(await topicsWithGate("kyc", {}, () => Promise.resolve(refused))).toBe(refused);
  });
});
