"use client";

import { ImagePlus } from "lucide-react";
import { type ChangeEvent, useEffect, useId, useRef, useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import { Button } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { LIMITS, UPLOAD_MEGABYTES, uploadTypes } from "@/lib/contract/limits";

export interface PictureFieldProps {
  /** Address of the picture; null for none. */
  readonly value: string | null;
  /** The round picture beside the name, or the wide one above it. */
  readonly kind?: "picture" | "banner";
  readonly onChange: (image: string | null) => void;
  /** Called when an upload starts or ends, so that the form can wait. */
  readonly onBusy?: (busy: boolean) => void;
}

const shapes = { picture: "size-16 rounded-full", banner: "h-16 w-64 max-w-full rounded-sheet" } as const;

/** A picture of a topic, which uploads when it is chosen. */
export function PictureField({ value, kind = "picture", onChange, onBusy }: PictureFieldProps) {
  const words = useWords();
  const { t } = words;
  const [progress, setProgress] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const running = useRef<AbortController | null>(null);
  const id = useId();
  useEffect(() => () => running.current?.abort(), []);

  const upload = async (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = event.target.files?.[0];
    event.target.value = "";
    if (!chosen) return;
    if (!uploadTypes.some((type) => type === chosen.type)) return setProblem(t("editTopic.pictureType"));
    if (chosen.size > LIMITS.upload.bytes)
      return setProblem(t("editTopic.pictureTooLarge", { megabytes: UPLOAD_MEGABYTES }));
    const controller = new AbortController();
    running.current = controller;
    setProblem(null);
    setProgress(0);
    onBusy?.(true);
    const answer = await callApi(words, async () => {
      const { uploadImage } = await import("@/lib/client/upload");
      return uploadImage(chosen, { purpose: "topic", onProgress: setProgress, signal: controller.signal });
    });
    if (controller.signal.aborted) return;
    setProgress(null);
    onBusy?.(false);
    if (answer.ok) onChange(answer.value);
    else setProblem(answer.sentence);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid of its label, picture and buttons
    <div role="group" aria-labelledby={id} className="grid gap-1.5">
      <p id={id} className="text-sm font-medium">
        {t(`editTopic.${kind}`)}
      </p>
      <div className="flex flex-wrap items-center gap-4">
        {value ? (
          // biome-ignore lint/performance/noImgElement: next/image writes inline styles, which the CSP refuses
          <img src={value} alt="" className={cx("border bg-wash object-cover", shapes[kind])} />
        ) : (
          <span
            aria-hidden="true"
            className={cx(
              "inline-flex items-center justify-center border border-dashed text-soft",
              shapes[kind],
            )}
          >
            <ImagePlus className="size-6" />
          </span>
        )}
        <div className="flex flex-wrap gap-2">
          <Button size="sm" busy={progress !== null} onClick={() => file.current?.click()}>
            {t(value ? "editTopic.otherPicture" : "editTopic.choosePicture")}
          </Button>
          {value && progress === null ? (
            <Button size="sm" tone="quiet" onClick={() => onChange(null)}>
              {t("common.removePicture")}
            </Button>
          ) : null}
        </div>
        <input
          ref={file}
          type="file"
          accept={uploadTypes.join(",")}
          tabIndex={-1}
          aria-label={t("editTopic.choosePicture")}
          onChange={(event) => void upload(event)}
          className="sr-only"
        />
      </div>
      {progress === null ? null : (
        <progress
          className="run-bar h-1.5 w-full max-w-64"
          max={1}
          value={progress}
          aria-label={t("common.uploadingPicture")}
        />
      )}
      <p className="text-sm text-soft">{t(`editTopic.${kind}Hint`, { megabytes: UPLOAD_MEGABYTES })}</p>
      <p role="alert" className="text-sm text-seal empty:hidden">
        {problem}
      </p>
    </div>
  );
}
