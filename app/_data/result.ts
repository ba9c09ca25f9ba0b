import { isRefusal } from "@/lib/errors";

/** A read as a page sees it: the body, or the documented refusal. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** Turns a refusal into a value a page can render; everything else goes to the error page. */
export async function read<T>(work: () => Promise<T>): Promise<Read<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (isRefusal(error)) return { ok: false, code: error.code, message: error.message };
    throw error;
  }
}
