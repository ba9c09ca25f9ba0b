import { makeZip } from "client-zip";
import type { MemberContext } from "@/lib/context";
import type { BinaryAnswer } from "@/lib/contract";
import { collectExport, type ExportEntry } from "./export";

/**
 * GET /api/account/export: everything that is the caller's, as a ZIP. It is made as fast as the client takes it, one entry
 * at a time, so that its size costs no memory. Without a fresh proof: a proof may cost money, and one's own data must not.
 */
export async function exportAccount(ctx: MemberContext): Promise<BinaryAnswer> {
  const now = ctx.now();
  const { total, entries } = await collectExport(ctx);
  return {
    contentType: "application/zip",
    body: makeZip(filesOf(entries, now)),
    headers: {
      "content-disposition": `attachment; filename="parley-${now.toISOString().slice(0, 10)}.zip"`,
      "x-export-files": String(total),
    },
  };
}

async function* filesOf(entries: AsyncIterable<ExportEntry>, lastModified: Date) {
  for await (const { name, content } of entries) yield { name, input: content, lastModified };
}
