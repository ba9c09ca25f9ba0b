"use client";

import { useWords } from "#words";
import { AddressForm } from "./address-form";
import { maxVideos, videoPage } from "./videos";

export interface VideoFormProps {
  /** @returns whether there was a place for it */
  readonly onVideo: (page: string) => boolean;
  readonly onClose: () => void;
}

/** Asks for the address of a video. */
export function VideoForm({ onVideo, onClose }: VideoFormProps) {
  const { t } = useWords();
  const add = (address: string) => {
    const page = videoPage(address);
    if (!page) return t("composer.videoWrong");
    if (!onVideo(page)) return t("composer.videosFull", { max: maxVideos });
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
