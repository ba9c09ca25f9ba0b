import { api, contract } from "@/components/api";
import { uploadImage } from "@/lib/client/upload";
import { prepare } from "./prepare";
import type { UploadTools } from "./uploads";

/** Uploads of posts, by this browser. */
export const uploadTools: UploadTools = {
  prepare,
  send: (file, options) => uploadImage(file, { purpose: "post", ...options }),
  preview: (file) => URL.createObjectURL(file),
  forgetPreview: (preview) => URL.revokeObjectURL(preview),
};

/**
 * Deletes those of some uploads that no post shows; the server knows which do, as a post may have come from another tab, or
 * have arrived although its answer was lost. What cannot be deleted now stays: nobody knows its address.
 */
export async function deleteUploads(urls: readonly string[]): Promise<void> {
  if (urls.length === 0) return;
  await api.call(contract.uploads.delete, { urls: [...urls], unusedOnly: true }).catch(() => undefined);
}
