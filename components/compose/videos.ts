import { playerOf } from "@/components/post/players";
import { LIMITS } from "@/lib/contract/limits";

/** The video's own page when a text is the address of one that is played here, and nothing else; else null. */
export function videoPage(text: string): string | null {
  const address = text.trim();
  if (/\s/.test(address) || !/^(https?:\/\/|www\.|youtu|vimeo|m\.you)/i.test(address)) return null;
  return playerOf(/^https?:/i.test(address) ? address : `https://${address}`)?.page ?? null;
}

/** Videos with one more, each once. Null when there is no place for it. */
export function withVideo(videos: readonly string[], page: string): string[] | null {
  if (videos.includes(page)) return [...videos];
  return videos.length < LIMITS.post.videos ? [...videos, page] : null;
}
