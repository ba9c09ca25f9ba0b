import type { BinaryAnswer, contract, HandlerInput } from "@/lib/contract";
import { rasterHeadBytes, rasterType } from "@/lib/contract/raster";
import { Refusal } from "@/lib/errors";
import { previewSeconds } from "./page";
import type { PublicWeb, WebAnswer } from "./web";

/** Maximum bytes of an image. */
const maxImageBytes = 5_000_000;

/**
 * GET /api/og/image: an image of another site, with the media type of its first bytes. Browsers cache it for an hour.
 * @throws Refusal address_not_allowed, not_an_image, upstream_failed (also for more than 5 MB)
 */
export async function getPreviewImage(
  { web }: { readonly web: PublicWeb },
  { src }: HandlerInput<typeof contract.previews.image>,
): Promise<BinaryAnswer> {
  const answer = await web.get(web.read(src, "src"), "image/*");
  try {
    if ((answer.length ?? 0) > maxImageBytes) {
      throw new Refusal("upstream_failed", { message: "The image is larger than 5 MB." });
    }
    const head = await readHead(answer);
    const contentType = rasterType(head);
    if (!contentType) throw new Refusal("not_an_image");
    return {
      contentType,
      body: streamOf(head, answer),
      headers: { "cache-control": `public, max-age=${previewSeconds}` },
    };
  } catch (error) {
    answer.close();
    throw error;
  }
}

async function readHead({ body }: WebAnswer): Promise<Uint8Array> {
  let head = Buffer.alloc(0);
  while (head.length < rasterHeadBytes) {
    const { done, value } = await body.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  return head;
}

/** Streams the head and the rest of the body. Fails if the body is too long. */
function streamOf(head: Uint8Array, { body, close }: WebAnswer): ReadableStream<Uint8Array> {
  let size = head.length;
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(head),
    async pull(controller) {
      const { done, value } = await body.next();
      if (done) return controller.close();
      size += value.length;
      if (size > maxImageBytes) {
        close();
        return controller.error(new Error("the image is larger than 5 MB"));
      }
      controller.enqueue(value);
    },
    cancel: close,
  });
}
