import { useWords } from "#words";
import type { Post } from "@/lib/contract";
import { Gallery } from "./gallery";
import { playerOf } from "./players";
import { Video } from "./video";

/** Images and videos attached to a post. */
export function PostMedia({ media }: { readonly media: Post["media"] }) {
  const { t } = useWords();
  const players = media.videos.map(playerOf).filter((player) => player !== null);
  if (media.images.length + players.length === 0) return null;
  return (
    <div className="grid gap-3">
      {media.images.length > 0 ? <Gallery images={media.images} /> : null}
      {players.map((player, i) => (
        <Video key={player.src} player={player} label={t("post.video", { n: i + 1 })} />
      ))}
    </div>
  );
}
