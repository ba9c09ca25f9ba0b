"use client";

import {
  ChartBarBig,
  ImagePlus,
  type LucideIcon,
  Image as PictureIcon,
  Play,
  SquarePlay,
  X,
} from "lucide-react";
import { useId, useRef, useState } from "react";
import { useWords } from "#words";
import { usePictureAddress } from "@/components/post/own-pictures";
import { proxied } from "@/components/post/picture-address";
import { playerOf } from "@/components/post/players";
import { Button, IconButton } from "@/components/ui/button";
import { LIMITS, UPLOAD_MEGABYTES, uploadTypes } from "@/lib/contract/limits";
import { AddressForm } from "./address-form";
import { videoPage } from "./parse";

export interface AttachmentsProps {
  readonly videos: readonly string[];
  readonly images: readonly string[];
  readonly onVideos: (videos: readonly string[]) => void;
  readonly onImages: (images: readonly string[]) => void;
  /** The server's error about them. */
  readonly error: string | null;
}

/** The videos of a post, and the pictures that API clients attached below its text. */
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
  /** Shown when there is no still. */
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

export interface AddRowProps {
  readonly onFiles: (files: readonly File[]) => void;
  readonly onVideo: () => void;
  /** Undefined while the post has a poll. */
  readonly onPoll?: () => void;
}

/** Buttons that add pictures, a video or a poll. */
export function AddRow({ onFiles, onVideo, onPoll }: AddRowProps) {
  const { t } = useWords();
  const input = useRef<HTMLInputElement>(null);
  const hint = useId();
  return (
    <div className="grid gap-1.5 border-t px-3 py-2">
      <div className="flex flex-wrap gap-1">
        <Button size="sm" tone="quiet" aria-describedby={hint} onClick={() => input.current?.click()}>
          <ImagePlus className="size-4.5" aria-hidden />
          {t("composer.addPicture")}
        </Button>
        <Button size="sm" tone="quiet" onClick={onVideo}>
          <SquarePlay className="size-4.5" aria-hidden />
          {t("composer.addVideo")}
        </Button>
        {onPoll ? (
          <Button size="sm" tone="quiet" onClick={onPoll}>
            <ChartBarBig className="size-4.5" aria-hidden />
            {t("composer.addPoll")}
          </Button>
        ) : null}
      </div>
      <p id={hint} className="px-3 text-xs text-soft">
        {t("composer.pictureHint", { megabytes: UPLOAD_MEGABYTES })}
      </p>
      <input
        ref={input}
        type="file"
        accept={uploadTypes.join(",")}
        multiple
        tabIndex={-1}
        aria-label={t("composer.addPicture")}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // Lets the user choose the same file again.
          event.target.value = "";
        }}
        className="hidden"
      />
    </div>
  );
}

export interface VideoFormProps {
  /** @returns false when the post has its maximum of videos */
  readonly onVideo: (page: string) => boolean;
  readonly onClose: () => void;
}

/** Asks for the address of a video. */
export function VideoForm({ onVideo, onClose }: VideoFormProps) {
  const { t } = useWords();
  const add = (address: string) => {
    const page = videoPage(address);
    if (!page) return t("composer.videoWrong");
    if (!onVideo(page)) return t("composer.videosFull", { max: LIMITS.post.videos });
    onClose();
    return null;
  };
  return (
    <AddressForm
      name={t("composer.video")}
      label={t("composer.videoAddress")}
      hint={t("composer.videoHint")}
      confirm={t("composer.videoAdd")}
      onAddress={add}
      onClose={onClose}
      className="grid gap-2 rounded-sheet border bg-sheet p-4"
    />
  );
}
