import { contract } from "@/lib/contract";
import type { UploadPurpose } from "@/lib/contract/uploads";
import { parseJson } from "@/lib/json";
import { ApiError, refusalOf } from "./index";

export interface UploadOptions {
  readonly purpose: UploadPurpose;
  /** Called during the upload with the fraction sent (0 to 1). */
  readonly onProgress?: (part: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Uploads one image by POST /api/upload and reports progress, which fetch cannot.
 * @returns the public URL of the image
 * @throws ApiError for refusals and network failures, and the abort reason of `signal`
 */
export function uploadImage(file: File, { purpose, onProgress, signal }: UploadOptions): Promise<string> {
  const form = new FormData();
  form.set("file", file);
  form.set("purpose", purpose);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = () =>
      reject(new ApiError(0, null, "The network did not answer. Nothing was lost; try again."));
    request.open("POST", contract.uploads.create.path);
    request.setRequestHeader("accept", "application/json");
    request.upload.addEventListener("progress", ({ loaded, total }) =>
      onProgress?.(total > 0 ? loaded / total : 0),
    );
    request.addEventListener("error", fail);
    request.addEventListener("timeout", fail);
    request.addEventListener("abort", () => reject(signal?.reason ?? new DOMException("", "AbortError")));
    request.addEventListener("load", () => {
      const body = parseJson(request.responseText);
      const done = contract.uploads.create.responses[201].safeParse(body);
      if (request.status === 201 && done.success) resolve(done.data.publicUrl);
      else reject(refusalOf(request.status, body));
    });
    if (signal?.aborted) return reject(signal.reason);
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(form);
  });
}
