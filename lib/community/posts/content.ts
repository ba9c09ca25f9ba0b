import type { MemberContext } from "@/lib/context";
import { LIMITS } from "@/lib/contract/limits";
import { Refusal } from "@/lib/errors";
import { isBlank, maxNesting, plainText, sanitizePostHtml, shorten, TooDeep, TooLong } from "@/lib/html";
import { searchText } from "../text-search";
import { assertImageUrl, type PlacedHtml, placeInlineImages } from "../uploads/images";

/** Longest text that is sanitised, without the images inside it: markup that does not stay counts too. */
const maxUnsanitized = 3 * LIMITS.post.html;
/** Characters of plain text that lists show of a post. */
const summaryLength = 280;

export interface PostContent {
  /** Sanitised HTML, as it is stored and returned. */
  readonly html: string;
  readonly summary: string;
  /** Keys of the uploads it shows. */
  readonly uploads: readonly string[];
}

/**
 * Moves images inside post HTML to storage, makes it safe to store, and writes it; when writing fails the images are
 * removed again.
 * @param write the transaction and nothing after it
 * @throws Refusal invalid_request with field content: too long, nested too deeply, or nothing left to read; and what
 *   placeInlineImages throws
 */
export async function withPostContent<T>(
  ctx: MemberContext,
  content: string,
  write: (content: PostContent) => Promise<T>,
): Promise<T> {
  const placed = await placeInlineImages(ctx, content, maxUnsanitized).catch((error: unknown) => {
    if (error instanceof TooLong) throw tooLong();
    if (error instanceof TooDeep) {
      throw unusable(`The content nests elements more than ${maxNesting} deep.`);
    }
    throw error;
  });
  try {
    return await write(preparePostContent(placed));
  } catch (error) {
    await placed.discard();
    throw error;
  }
}

function preparePostContent({ html: content, uploads }: PlacedHtml): PostContent {
  if (content.length > maxUnsanitized) throw tooLong();
  const { html, hasInlineImage } = sanitizePostHtml(content);
  // What was not moved to storage would be lost without a word.
  if (hasInlineImage) throw unusable("An image inside the text cannot be read.");
  if (html.length > LIMITS.post.html) throw tooLong();
  if (isBlank(html)) throw unusable("The content is empty, or nothing in it is allowed.");
  const shown = uploads.filter((key) => html.includes(key));
  return { html, summary: shorten(plainText(html), summaryLength), uploads: shown };
}

function tooLong(): Refusal {
  return unusable(`The content is longer than ${LIMITS.post.html.toLocaleString("en")} characters of HTML.`);
}

function unusable(sentence: string): Refusal {
  return new Refusal("invalid_request", { field: "content", message: sentence });
}

/** What a search looks in. @param html sanitised */
export function postSearchText(title: string, html: string): string {
  return searchText(title, plainText(html));
}

/** Keys of the uploads among the images of a post's media. */
export function mediaUploads(
  { storage }: Pick<MemberContext, "storage">,
  media: { readonly images?: readonly string[] } | undefined,
): string[] {
  return (media?.images ?? []).flatMap((url) => storage.keyOf(url) ?? []);
}

/**
 * Media of a post as its row keeps them.
 * @throws Refusal invalid_request naming an image that readers must not be sent to
 */
export async function postMedia(
  ctx: MemberContext,
  media: { readonly images?: readonly string[]; readonly videos?: readonly string[] } | undefined,
): Promise<string> {
  const { images = [], videos = [] } = media ?? {};
  for (const [index, url] of images.entries()) await assertImageUrl(ctx, url, `media.images.${index}`);
  return JSON.stringify({ images, videos });
}
