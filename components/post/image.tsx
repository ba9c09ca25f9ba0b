"use client";

import { ImageOff } from "lucide-react";
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { useWords } from "#words";

export interface ImageProps extends Omit<ComponentProps<"img">, "ref" | "src" | "alt" | "onError"> {
  readonly src: string;
  readonly alt: string;
}

/** A picture of a post, or a note in its place when it fails to load. */
export function Image({ src, alt, ...rest }: ImageProps) {
  const { t } = useWords();
  const [isGone, setGone] = useState(false);
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    // It may have failed before this script ran.
    if (image.current?.complete && image.current.naturalWidth === 0) setGone(true);
  }, []);
  if (isGone) {
    return (
      <span className="flex size-full min-h-24 flex-col items-center justify-center gap-2 p-3 text-center text-sm text-soft">
        <ImageOff className="size-5" aria-hidden />
        {t("gallery.gone")}
      </span>
    );
  }
  return (
    // biome-ignore lint/performance/noImgElement: next/image writes inline styles, which the CSP refuses
    <img ref={image} src={src} alt={alt} {...rest} onError={() => setGone(true)} />
  );
}
