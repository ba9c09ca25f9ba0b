import { useWords } from "#words";
import type { Post } from "@/lib/contract";

/** Address of the player for a YouTube or Vimeo page, or null for anything else. */
export function playerUrl(address: string): string | null {
  const url = URL.parse(address);
  if (!url) return null;
  const host = url.hostname.replace(/^(www|m|player)\./, "");
  const last = url.pathname.split("/").findLast(Boolean) ?? "";
  const id = host === "youtube.com" ? (url.searchParams.get("v") ?? "") : last;
  if ((host === "youtube.com" || host === "youtu.be") && /^[\w-]{6,20}$/.test(id)) {
    return `https://www.youtube-nocookie.com/embed/${id}`;
  }
  return host === "vimeo.com" && /^\d+$/.test(id) ? `https://player.vimeo.com/video/${id}?dnt=1` : null;
}

/** Images and videos attached to a post. */
export function PostMedia({ media }: { readonly media: Post["media"] }) {
  const { t } = useWords();
  const players = media.videos.map(playerUrl).filter((url) => url !== null);
  if (media.images.length + players.length === 0) return null;
  return (
    <div className="grid gap-3">
      {media.images.map((src, i) => (
        // biome-ignore lint/performance/noImgElement: next/image writes inline styles, which the CSP refuses
        <img
          key={src}
          src={src}
          alt={t("post.image", { n: i + 1 })}
          loading="lazy"
          className="max-h-[70vh] w-full rounded-control border object-contain"
        />
      ))}
      {players.map((src, i) => (
        <iframe
          key={src}
          src={src}
          title={t("post.video", { n: i + 1 })}
          loading="lazy"
          allow="fullscreen"
          referrerPolicy="strict-origin-when-cross-origin"
          sandbox="allow-scripts allow-same-origin allow-presentation"
          className="aspect-video w-full rounded-control border"
        />
      ))}
    </div>
  );
}
