import { contract } from "@/lib/contract";
import { errors } from "@/lib/contract/errors";
import { uploadTypes } from "@/lib/contract/limits";
import { rasterHeadBytes, rasterType } from "@/lib/contract/raster";
import type { UploadPurpose } from "@/lib/contract/uploads";
import { parseJson } from "@/lib/json";
import { ApiError, createClient, refusalOf } from "./index";

export interface UploadOptions {
  readonly purpose: UploadPurpose;
  /** Called during the upload with the fraction sent (0 to 1). */
  readonly onProgress?: (part: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Uploads one image to the address that the app gives for it: past the app where a bucket stores files, because a
 * platform may refuse bodies of this size.
 * @returns the public URL of the image
 * @throws ApiError for refusals and network failures, and the abort reason of `signal`
 */
export async function uploadImage(
  file: File,
  { purpose, onProgress, signal }: UploadOptions,
): Promise<string> {
  const type = rasterType(new Uint8Array(await file.slice(0, rasterHeadBytes).arrayBuffer()));
  const contentType = uploadTypes.find((each) => each === type);
  if (!contentType) {
    const { status, message } = errors.upload_type;
    throw refusalOf(status, { code: "upload_type", error: message, requestId: "", field: "file" });
  }
  const { uploadUrl, publicUrl } = await createClient().call(
    contract.uploads.create,
    { filename: "picture", contentType, size: file.size, purpose },
    { signal },
  );
  if (uploadUrl === undefined) throw new Error("the app gave no address");
  await put(uploadUrl, new Blob([file], { type: contentType }), { onProgress, signal });
  return publicUrl;
}

/** PUTs a file and reports progress, which fetch cannot. */
function put(url: string, file: Blob, { onProgress, signal }: Omit<UploadOptions, "purpose">): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = () =>
      reject(new ApiError(0, null, "The network did not answer. Nothing was lost; try again."));
    request.open("PUT", url);
    request.setRequestHeader("content-type", file.type);
    request.upload.addEventListener("progress", ({ loaded, total }) =>
      onProgress?.(total > 0 ? loaded / total : 0),
    );
    request.addEventListener("error", fail);
    request.addEventListener("timeout", fail);
    request.addEventListener("abort", () => reject(signal?.reason ?? new DOMException("", "AbortError")));
    request.addEventListener("load", () => {
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(refusalOf(request.status, parseJson(request.responseText)));
    });
    if (signal?.aborted) return reject(signal.reason);
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}
