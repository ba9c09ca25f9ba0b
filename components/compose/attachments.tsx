"use client";

import { type LucideIcon, Image as PictureIcon, Play, X } from "lucide-react";
import { useState } from "react";
import { useWords } from "#words";
import { usePictureAddress } from "@/components/post/own-pictures";
import { playerOf } from "@/components/post/players";
import { proxied } from "@/components/post/proxied";
import { IconButton } from "@/components/ui/button";

export interface AttachmentsProps {
  readonly videos: readonly string[];
  readonly images: readonly string[];
  readonly onVideos: (videos: readonly string[]) => void;
  readonly onImages: (images: readonly string[]) => void;
  /** What the server said of them. */
  readonly error: string | null;
}

/** What stands below the text of a post: videos, and pictures that agents attached. */
export function Attachments({ videos, images, onVideos, onImages, error }: AttachmentsProps) {
  const { t } = useWords();
  const address = usePictureAddress();
  if (videos.length + images.length === 0) return null;
  return (
    <div className="grid gap-2">
      <ul aria-label={t("composer.attached")} className="grid gap-2 sm:grid-cols-2">
        {videos.map((page) => (
          <VideoCard key={page} page={page} onRemove={() => onVideos(videos.filter((one) => one !== page))} />
        ))}
        {images.map((image, i) => (
          <Card
            key={image}
            name={t("composer.attachedPicture", { n: i + 1 })}
            detail=""
            still={address(image)}
            icon={PictureIcon}
            removal={t("composer.attachedRemove", { n: i + 1 })}
            onRemove={() => onImages(images.filter((one) => one !== image))}
          />
        ))}
      </ul>
      <p role="alert" className="text-sm text-seal empty:hidden">
        {error}
      </p>
    </div>
  );
}

function VideoCard({ page, onRemove }: { readonly page: string; readonly onRemove: () => void }) {
  const { t } = useWords();
  const player = playerOf(page);
  const site = player?.site ?? "";
  return (
    <Card
      name={t("composer.videoOf", { site })}
      detail={page.replace(/^https:\/\/(www\.)?/, "")}
      still={player?.still ? proxied(player.still) : null}
      icon={Play}
      removal={t("composer.videoRemove", { address: page })}
      onRemove={onRemove}
    />
  );
}

interface CardProps {
  readonly name: string;
  readonly detail: string;
  readonly still: string | null;
  /** In its place, where there is none. */
  readonly icon: LucideIcon;
  readonly removal: string;
  readonly onRemove: () => void;
}

function Card({ name, detail, still, icon: Icon, removal, onRemove }: CardProps) {
  const [isBroken, setBroken] = useState(false);
  return (
    <li className="flex items-center gap-3 rounded-sheet border bg-sheet p-2">
      <span className="flex aspect-video w-24 shrink-0 items-center justify-center overflow-hidden rounded-control bg-wash text-soft">
        {still && !isBroken ? (
          // biome-ignore lint/performance/noImgElement: next/image writes inline styles, which the CSP refuses
          <img src={still} alt="" className="size-full object-cover" onError={() => setBroken(true)} />
        ) : (
          <Icon className="size-5" aria-hidden />
        )}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{name}</span>
        <span className="block truncate text-sm text-soft">{detail}</span>
      </span>
      <IconButton label={removal} onClick={onRemove}>
        <X className="size-4.5" aria-hidden />
      </IconButton>
    </li>
  );
}
