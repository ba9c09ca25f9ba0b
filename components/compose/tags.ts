import { LIMITS } from "@/lib/contract/limits";

/** A tag as it is sent: without the sign that people put before it. Empty for what cannot be one. */
export function cleanTag(text: string): string {
  const tag = text
    .replace(/^[\s#]+/, "")
    .trim()
    .slice(0, LIMITS.post.tag)
    .trim();
  return slug(tag) ? tag : "";
}

/** Whether the server makes one tag of two spellings. */
export function isSameTag(one: string, other: string): boolean {
  return slug(one) === slug(other);
}

/** As lib/community/posts/tags.ts makes it. */
function slug(name: string): string {
  const words = name.normalize("NFKC").toLowerCase();
  return (words.match(/(?:\p{L}\p{M}*|\p{N})+/gu) ?? []).join("-");
}
