import { useWords } from "#words";
import type { Post } from "@/lib/contract";
import { playerOf } from "./players";
import { Video } from "./video";

/** Images and videos attached to a post. */
export function PostMedia({ media }: { readonly media: Post["media"] }) {
  const { t } = useWords();
  const players = media.videos.map(playerOf).filter((player) => player !== null);
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
      {players.map((player, i) => (
        <Video key={player.src} player={player} label={t("post.video", { n: i + 1 })} />
      ))}
    </div>
  );
}
