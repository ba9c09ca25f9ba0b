import type { MemberContext } from "@/lib/context";
import { type contract, type HandlerInput, type ResponseBody } from "@/lib/contract";
import { uploadSeconds } from "@/lib/contract/uploads";
import { newKey } from "@/lib/storage/keys";
import { assertUploadSize } from "./inspect";
import { reserveUploads, storeImages } from "./store";

type Input = HandlerInput<typeof contract.uploads.create>;

/**
 * POST /api/upload: an address to PUT one image to, of exactly the type and size announced; or, as a form, the upload
 * itself.
 * @throws Refusal upload_type, upload_too_large, upload_damaged
 */
export async function createUpload(
  ctx: MemberContext,
  input: Input,
): Promise<ResponseBody<typeof contract.uploads.create>> {
  const { storage, caller } = ctx;
  if ("file" in input) {
    const image = new Uint8Array(await input.file.arrayBuffer());
    const [stored] = await storeImages(ctx, input.purpose, [image], "file");
    if (stored === undefined) throw new Error("the upload was not stored");
    return { publicUrl: storage.publicUrl(stored) };
  }
  const { contentType, size, purpose } = input;
  assertUploadSize(size, "size");
  const key = newKey({ env: storage.env, purpose, userId: caller.userId, contentType });
  await reserveUploads(ctx, [{ key, contentType, size }], "size");
  const uploadUrl = await storage.uploadUrl(key, { contentType, size, expiresInSeconds: uploadSeconds });
  return { uploadUrl, publicUrl: storage.publicUrl(key), expiresIn: uploadSeconds };
}
