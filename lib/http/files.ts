import { createHash } from "node:crypto";
import { acceptUpload } from "@/lib/community/uploads/create";
import { isRefusal, Refusal } from "@/lib/errors";
import { getServices } from "@/lib/runtime/services";
import { uploadCaching } from "@/lib/storage";
import { parseKey } from "@/lib/storage/keys";
import { type PathParams, readerOf } from "./incoming";
import { readBytes } from "./input";
import { bodyPlace } from "./large-bodies";
import { binaryReply, route, webResponse } from "./reply";

/** GET /uploads/…: a stored file, only as the type its content was checked to be. */
export const serveFile = route("uploads.serve", async (request, params, requestId) => {
  const { storage } = await getServices();
  const key = keyOf(params);
  const file = storage.local && parseKey(key)?.env === storage.env ? await storage.local.open(key) : null;
  if (!file) throw new Refusal("upload_not_found");
  // Keys are never reused, so a file never changes; but it may be taken down.
  const etag = `"${createHash("sha256").update(key).digest("base64url").slice(0, 27)}"`;
  const headers = { "cache-control": uploadCaching, etag, "content-length": String(file.size) };
  if (request.headers.get("if-none-match")?.includes(etag)) {
    await file.body.cancel();
    return new Response(null, { status: 304, headers: { "cache-control": uploadCaching, etag } });
  }
  return webResponse(binaryReply({ ...file, headers }, requestId, new Headers()));
});

/** PUT /uploads/…: receives a file at a URL that POST /api/upload signed; needs no session, as with a bucket. */
export const receiveFile = route("uploads.receive", async (request, params, requestId) => {
  const place = bodyPlace();
  try {
    const { storage, db, deployment } = await getServices();
    // Proxies may have changed the host; the URL was signed with our own origin.
    const { search } = new URL(request.url);
    const address = new URL(`/uploads/${keyOf(params)}${search}`, deployment.services.appUrl);
    const announced = storage.local?.readUploadUrl(address.href);
    const { headers } = request;
    const length = headers.get("content-length");
    if (
      !announced ||
      headers.get("content-type") !== announced.contentType ||
      (length !== null && Number(length) !== announced.size)
    ) {
      throw new Refusal("upload_signature");
    }
    place.owner = parseKey(announced.key)?.userId ?? announced.key;
    const bytes = await readBytes({ headers, body: readerOf(request) }, announced.size, place);
    await acceptUpload({ db, storage }, announced, bytes);
    return new Response(null, {
      status: 200,
      headers: { "x-request-id": requestId, "cache-control": "no-store" },
    });
  } catch (error) {
    if (!isRefusal(error)) await request.body?.cancel().catch(() => undefined);
    throw error;
  } finally {
    place.release();
  }
});

function keyOf({ path }: PathParams): string {
  return Array.isArray(path) ? path.join("/") : "";
}
