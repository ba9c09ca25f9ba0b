import { beforeEach, describe, expect, it, vi } from "vitest";
import { claimDrafts, forgetDrafts, readDraft, writeDraft } from "./drafts";

/** STUB of the browser's storage, whose entries are own properties too. */
function storage() {
  const kept: Record<string, unknown> = {};
  const own = (name: string, value: unknown) => Object.defineProperty(kept, name, { value });
  own("getItem", (key: string) => kept[key] ?? null);
  own("setItem", (key: string, value: string) => {
    kept[key] = value;
  });
  own("removeItem", (key: string) => delete kept[key]);
  return kept;
}

beforeEach(() => vi.stubGlobal("localStorage", storage()));

describe("drafts", () => {
  it("are kept under their names until they are forgotten", () => {
    writeDraft("new.1", "a");
    expect(readDraft("new.1")).toBe("a");
    writeDraft("new.1", null);
    expect(readDraft("new.1")).toBeNull();
  });

  it("go when their writer signs out, and nothing else does", () => {
    writeDraft("new.1", "a");
    localStorage.setItem("parley.chat.draft.1", "b");
    localStorage.setItem("parley.payments", "money");
    forgetDrafts();
    expect(Object.keys(localStorage)).toEqual(["parley.payments"]);
  });

  it("stay for their writer, and go when somebody else signs in", () => {
    claimDrafts("u_ada");
    writeDraft("comment.1", "of ada");
    claimDrafts("u_ada");
    expect(readDraft("comment.1")).toBe("of ada");
    claimDrafts("u_bela");
    expect(readDraft("comment.1")).toBeNull();
    writeDraft("comment.1", "of bela");
    claimDrafts("u_bela");
    expect(readDraft("comment.1")).toBe("of bela");
  });

  it("are claimed no more by an account that ended, whose page may be shown once more", () => {
    claimDrafts("u_dora");
    forgetDrafts("u_dora");
    claimDrafts("u_dora");
    expect(Object.keys(localStorage)).toEqual([]);
    claimDrafts("u_ada");
    expect(Object.keys(localStorage)).toEqual(["parley.writer"]);
  });

  it("are lost and not in the way where the browser refuses storage", () => {
    vi.stubGlobal("localStorage", {
      getItem: () => {
        throw new DOMException("denied", "SecurityError");
      },
    });
    expect(readDraft("new.1")).toBeNull();
    expect(() => writeDraft("new.1", "a")).not.toThrow();
    expect(() => claimDrafts("u_ada")).not.toThrow();
  });
});
