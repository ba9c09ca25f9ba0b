import { playerOf } from "@/components/post/players";
import { LIMITS } from "@/lib/contract/limits";

/** URL schemes that the server allows in links. */
const LINK_SCHEMES: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);

/** Returns the URL that a typed link means: `example.com` is a website, `ada@example.com` a mail address. Else null. */
export function linkAddress(text: string): string | null {
  const typed = text.trim();
  if (!typed || /\s/.test(typed)) return null;
  const isMailbox = /^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(typed);
  const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(typed) && !/^[\w.-]+:\d+(\/|$)/.test(typed);
  const url = URL.parse(isMailbox ? `mailto:${typed}` : hasScheme ? typed : `https://${typed}`);
  if (!url || !LINK_SCHEMES.has(url.protocol)) return null;
  if (url.protocol !== "mailto:" && !hasScheme && !url.hostname.includes(".")) return null;
  return url.href;
}

/** Returns the video's page when the whole text is the address of a video that posts can play; else null. */
export function videoPage(text: string): string | null {
  const address = text.trim();
  if (/\s/.test(address) || !/^(https?:\/\/|www\.|youtu|vimeo|m\.you)/i.test(address)) return null;
  return playerOf(/^https?:/i.test(address) ? address : `https://${address}`)?.page ?? null;
}

/** Returns a tag without its leading #; empty when the text cannot be a tag. */
export function cleanTag(text: string): string {
  const tag = text
    .replace(/^[\s#]+/, "")
    .trim()
    .slice(0, LIMITS.post.tag)
    .trim();
  return slug(tag) ? tag : "";
}

/** Whether the server treats two spellings as one tag. */
export function isSameTag(one: string, other: string): boolean {
  return slug(one) === slug(other);
}

/** Returns the slug that lib/community/posts/tags.ts makes of a tag. */
function slug(name: string): string {
  const words = name.normalize("NFKC").toLowerCase();
  return (words.match(/(?:\p{L}\p{M}*|\p{N})+/gu) ?? []).join("-");
}
