import { vi } from "vitest";
import { prove } from "@/lib/community/anonymous/testing";
import { sanitizePostHtml } from "@/lib/html/sanitize";
import { membershipOf, unlinkedMembershipOf } from "@/lib/proofs/anonymous/membership";
import type { Harness, TestUser } from "@/lib/testing/harness";
import type { SendingParts } from "./entries";

/** STUB of the browser's locks: one after the other, and of its storage. */
export function stubBrowser(): void {
  let last: Promise<unknown> = Promise.resolve();
  const request = <T>(_: string, work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  };
  vi.stubGlobal("navigator", { locks: { request }, onLine: true });
  const items = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  });
}

/** What a page's outbox works with, against a harness, for one of its users. Proofs are stand-ins (lib/community/anonymous/testing.ts). */
export function partsOf(
  h: Harness,
  user: TestUser,
): SendingParts & { readonly signed: SendingParts["signed"] } {
  return {
    signed: {
      api: user.api,
      fetch: async (input) =>
        await h.fetch(String(input), {
          headers: { host: "localhost", authorization: `Bearer ${user.token}` },
        }),
    },
    nobody: h.guest,
    prove: async (act, terms, acting) => await membershipOf(act, terms, acting, prove),
    proveUnlinked: async (statement, terms, acting) =>
      await unlinkedMembershipOf(statement, terms, acting, prove),
    sanitize: (html) => sanitizePostHtml(html).html,
    now: () => h.services.now().getTime(),
    random: () => 0.5,
  };
}
