import type { MemberContext } from "@/lib/context";
import { LIMITS } from "@/lib/contract/limits";
import { Refusal } from "@/lib/errors";
import {
  isBlank,
  maxNesting,
  plainText,
  replaceImages,
  sanitizePostHtml,
  shorten,
  TooDeep,
  TooLong,
} from "@/lib/html";
import { htmlOfSent } from "@/lib/html/markdown";
import { parseKey } from "@/lib/storage/keys";
import { searchText } from "../text-search";
import { assertImageUrl, type PlacedHtml, placeInlineImages } from "../uploads/images";

/** Longest text to sanitize, without its inline images. Markup that sanitizing removes counts too. */
const MAX_UNSANITIZED = 3 * LIMITS.post.html;
/** Characters of plain text that lists show of a post. */
const SUMMARY_LENGTH = 280;

/** A text in a request: HTML, unless it says otherwise. */
interface SentContent {
  readonly content: string;
  readonly format?: "html" | "markdown";
}

export interface PostContent {
  /** Sanitized HTML, as it is stored and returned. */
  readonly html: string;
  readonly summary: string;
  /** Keys of the uploads it shows. */
  readonly uploads: readonly string[];
}

/**
 * Returns the HTML of a text as a request sent it.
 * @throws Refusal invalid_request with field content for Markdown that is too long, or takes too long to parse
 */
export function htmlOfContent({ content, format }: SentContent): string {
  if (format !== "markdown") return content;
  if (content.length > LIMITS.post.html) throw tooLong();
  const html = htmlOfSent(content);
  if (html === null) throw unusable("The content has too many Markdown marks. Send it as HTML.");
  if (html.length > LIMITS.post.html) throw tooLong();
  return html;
}

/**
 * Moves inline images of post HTML to storage, sanitizes the HTML and writes it. Removes the images if writing fails.
 * @param write the transaction and nothing after it
 * @throws Refusal invalid_request with field content if it is too long, nested too deeply, or empty after sanitizing;
 *   see placeInlineImages
 */
export async function withPostContent<T>(
  ctx: MemberContext,
  sent: SentContent,
  write: (content: PostContent) => Promise<T>,
): Promise<T> {
  const placed = await placeInlineImages(ctx, htmlOfContent(sent), MAX_UNSANITIZED).catch(
    (error: unknown) => {
      if (error instanceof TooLong) throw tooLong();
      if (error instanceof TooDeep) {
        throw unusable(`The content nests elements more than ${maxNesting} deep.`);
      }
      throw error;
    },
  );
  try {
    return await write(preparePostContent(placed));
  } catch (error) {
    await placed.discard();
    throw error;
  }
}

/**
 * Returns the content of a post whose author signed exactly this HTML, so that nothing of it may be changed.
 * @param owner of the pictures that it may show
 * @throws Refusal invalid_request with field content unless sanitizing leaves it as it is, and for other images
 */
export async function prepareExactContent(
  { storage }: Pick<MemberContext, "storage">,
  html: string,
  owner: string,
): Promise<PostContent> {
  const content = preparePostContent({ html, uploads: [] });
  if (content.html !== html) throw unusable("The content must be HTML that sanitizing leaves as it is.");
  const uploads = new Set<string>();
  let others = false;
  await replaceImages(html, (source) => {
    const key = storage.keyOf(source);
    if (key && parseKey(key)?.userId === owner && source === storage.htmlUrl(key)) uploads.add(key);
    else others = true;
    return null;
  });
  if (others) throw unusable("The images of the content must be pictures that were uploaded for it.");
  if (uploads.size > LIMITS.post.images)
    throw unusable(`A text can contain up to ${LIMITS.post.images} images.`);
  return { ...content, uploads: [...uploads] };
}

function preparePostContent({ html: content, uploads }: Pick<PlacedHtml, "html" | "uploads">): PostContent {
  if (content.length > MAX_UNSANITIZED) throw tooLong();
  const { html, hasInlineImage } = sanitizePostHtml(content);
  // Sanitizing drops images that were not moved to storage, so refuse them instead.
  if (hasInlineImage) throw unusable("An image inside the text cannot be read.");
  if (html.length > LIMITS.post.html) throw tooLong();
  if (isBlank(html)) throw unusable("The content is empty, or nothing in it is allowed.");
  const shown = uploads.filter((key) => html.includes(key));
  return { html, summary: shorten(plainText(html), SUMMARY_LENGTH), uploads: shown };
}

function tooLong(): Refusal {
  return unusable(`The content is longer than ${LIMITS.post.html.toLocaleString("en")} characters of HTML.`);
}

function unusable(sentence: string): Refusal {
  return new Refusal("invalid_request", { field: "content", message: sentence });
}

/** Returns the text that searches look in. @param html sanitized */
export function postSearchText(title: string, html: string): string {
  return searchText(title, plainText(html));
}

/** Returns the keys of the uploads among a post's images. */
export function mediaUploads(
  { storage }: Pick<MemberContext, "storage">,
  media: { readonly images?: readonly string[] } | undefined,
): string[] {
  return (media?.images ?? []).flatMap((url) => storage.keyOf(url) ?? []);
}

/**
 * Returns the media of a post as JSON for its row.
 * @throws Refusal invalid_request that names an image with a forbidden URL
 */
export async function postMedia(
  ctx: MemberContext,
  media: { readonly images?: readonly string[]; readonly videos?: readonly string[] } | undefined,
): Promise<string> {
  const { images = [], videos = [] } = media ?? {};
  for (const [index, url] of images.entries()) await assertImageUrl(ctx, url, `media.images.${index}`);
  return JSON.stringify({ images, videos });
}
