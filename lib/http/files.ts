import { createHash } from "node:crypto";
import { acceptUpload } from "@/lib/community/uploads/accept";
import { isRefusal, Refusal } from "@/lib/errors";
import { getServices } from "@/lib/runtime/services";
import { uploadCaching } from "@/lib/storage";
import { parseKey } from "@/lib/storage/keys";
import { binaryReply } from "./binary";
import { readBytes } from "./body";
import type { RouteArguments, RouteHandler } from "./endpoint";
import { bodyPlace } from "./large-bodies";
import { errorReply, requestIdOf } from "./reply";

/** GET /uploads/…: a stored file, as the type it was checked to be and nothing else. */
export const serveFile: RouteHandler = async (request, route) => {
  const requestId = requestIdOf(request.headers);
  try {
    const { storage } = await getServices();
    const key = await keyOf(route);
    const file = storage.local && parseKey(key)?.env === storage.env ? await storage.local.open(key) : null;
    if (!file) throw new Refusal("upload_not_found");
    // Keys are never used twice, so what stands under one never changes; but it may be taken down.
    const etag = `"${createHash("sha256").update(key).digest("base64url").slice(0, 27)}"`;
    const headers = { "cache-control": uploadCaching, etag, "content-length": String(file.size) };
    if (request.headers.get("if-none-match")?.includes(etag)) {
      await file.body.cancel();
      return new Response(null, { status: 304, headers: { "cache-control": uploadCaching, etag } });
    }
    return binaryReply({ ...file, headers }, requestId, new Headers());
  } catch (error) {
    return errorReply(error, requestId, "uploads.serve");
  }
};

/**
 * PUT /uploads/…: takes one file at an address that POST /api/upload signed. The signature is all it needs: no
 * session, as with a bucket.
 */
export const takeFile: RouteHandler = async (request, route) => {
  const requestId = requestIdOf(request.headers);
  const place = bodyPlace();
  try {
    const { storage, db, deployment } = await getServices();
    // Proxies may have changed the host; the address we signed is under our own name.
    const { search } = new URL(request.url);
    const address = new URL(`/uploads/${await keyOf(route)}${search}`, deployment.services.appUrl);
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
    const bytes = await readBytes(request, announced.size, place);
    await acceptUpload({ db, storage }, announced, bytes);
    return new Response(null, {
      status: 200,
      headers: { "x-request-id": requestId, "cache-control": "no-store" },
    });
  } catch (error) {
    if (!isRefusal(error)) await request.body?.cancel().catch(() => undefined);
    return errorReply(error, requestId, "uploads.take");
  } finally {
    place.release();
  }
};

async function keyOf(route: RouteArguments): Promise<string> {
  const { path } = await route.params;
  return Array.isArray(path) ? path.join("/") : "";
}
