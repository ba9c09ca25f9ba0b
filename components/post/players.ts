/** The player for a video in a post. */
export interface Player {
  readonly site: "YouTube" | "Vimeo";
  /** Address of the player, which sets no cookies before playback. */
  readonly src: string;
  /** The video's own page. */
  readonly page: string;
  /** Preview picture, where its address is known; loaded through the image proxy. */
  readonly still: string | null;
}

/** Returns the player for a YouTube or Vimeo page, or null. */
export function playerOf(address: string): Player | null {
  const url = URL.parse(address);
  if (!url) return null;
  const host = url.hostname.replace(/^(www|m|player)\./, "");
  const last = url.pathname.split("/").findLast(Boolean) ?? "";
  const id = host === "youtube.com" ? (url.searchParams.get("v") ?? "") : last;
  if ((host === "youtube.com" || host === "youtu.be") && /^[\w-]{6,20}$/.test(id)) {
    return {
      site: "YouTube",
      src: `https://www.youtube-nocookie.com/embed/${id}?autoplay=1`,
      page: `https://www.youtube.com/watch?v=${id}`,
      still: `https://i.ytimg.com/vi/${id}/hqdefault.jpg`,
    };
  }
  if (host !== "vimeo.com" || !/^\d+$/.test(id)) return null;
  return {
    site: "Vimeo",
    src: `https://player.vimeo.com/video/${id}?dnt=1&autoplay=1`,
    page: `https://vimeo.com/${id}`,
    still: null,
  };
}
