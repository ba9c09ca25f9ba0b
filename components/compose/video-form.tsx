"use client";

import { type KeyboardEvent, useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { maxVideos, videoPage } from "./videos";

export interface VideoFormProps {
  /** @returns whether there was a place for it */
  readonly onVideo: (page: string) => boolean;
  readonly onClose: () => void;
}

/** Asks for the address of a video. */
export function VideoForm({ onVideo, onClose }: VideoFormProps) {
  const { t } = useWords();
  const [address, setAddress] = useState("");
  const [problem, setProblem] = useState<"videoWrong" | "videosFull" | null>(null);
  const add = () => {
    const page = videoPage(address);
    if (!page) return setProblem("videoWrong");
    if (!onVideo(page)) return setProblem("videosFull");
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
    else if (event.key === "Enter" && !event.nativeEvent.isComposing) add();
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a form cannot stand inside another form
    <div
      role="group"
      aria-label={t("composer.video")}
      className="grid gap-2 rounded-sheet border bg-sheet p-4"
    >
      <Field
        label={t("composer.videoAddress")}
        hint={t("composer.videoHint")}
        error={problem ? t(`composer.${problem}`, problem === "videosFull" ? { max: maxVideos } : {}) : null}
      >
        {(control) => (
          <Input
            {...control}
            autoFocus
            inputMode="url"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="https://"
            value={address}
            onChange={(event) => {
              setAddress(event.target.value);
              setProblem(null);
            }}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={add}>
          {t("composer.videoAdd")}
        </Button>
        <Button size="sm" tone="quiet" onClick={onClose}>
          {t("common.cancel")}
        </Button>
      </div>
    </div>
  );
}
