"use client";

import { ChartBarBig, ImagePlus, SquarePlay } from "lucide-react";
import { useId, useRef } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { UPLOAD_MEGABYTES, uploadTypes } from "@/lib/contract/limits";

export interface AddRowProps {
  readonly onFiles: (files: readonly File[]) => void;
  readonly onVideo: () => void;
  /** Left out while there is a poll. */
  readonly onPoll?: () => void;
}

/** What a post may have besides words. */
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
          // The same file again is a choice too.
          event.target.value = "";
        }}
        className="hidden"
      />
    </div>
  );
}
