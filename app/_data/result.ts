import { cache } from "react";
import type { MemberContext } from "@/lib/context";
import { isRefusal } from "@/lib/errors";
import { pageContext } from "@/lib/http/page";

/** A read as a page sees it: the body, or the documented refusal. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** Turns a refusal into a value that a page can render; any other error reaches the error page. */
export async function read<T>(work: () => Promise<T>): Promise<Read<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (isRefusal(error)) return { ok: false, code: error.code, message: error.message };
    throw error;
  }
}

/** Returns the context of the signed-in visitor; null for a guest. */
export const memberContext = cache(async (): Promise<MemberContext | null> => {
  const { caller, ...ctx } = await pageContext();
  return caller && { ...ctx, caller };
});

/** Reads something that needs a signed-in visitor; null for a guest. */
export async function readAsMember<T>(work: (ctx: MemberContext) => Promise<T>): Promise<Read<T> | null> {
  const ctx = await memberContext();
  return ctx && read(() => work(ctx));
}
