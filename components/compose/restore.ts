import { reader } from "@/components/offline/state";
import { claimDrafts } from "@/lib/client/drafts";
import { type Draft, loadKept, saveKept } from "./draft";
import { deleteUploads } from "./upload-tools";

/** What is kept under a name by whoever reads here; what was discarded goes for good, with its uploads. */
export function restore(name: string): { readonly draft: Draft | null; readonly uploads: readonly string[] } {
  const userId = reader();
  if (userId) claimDrafts(userId);
  const kept = loadKept(name);
  if (!kept) return { draft: null, uploads: [] };
  if (!kept.isDiscarded) return kept;
  saveKept(name, null);
  void deleteUploads(kept.uploads);
  return { draft: null, uploads: [] };
}
