"use client";

import type { MouseEvent } from "react";
import { useWords } from "#words";
import { cx } from "@/components/ui/cx";
import { Image } from "./image";
import { usePictureAddress } from "./own-pictures";
import { useLightbox } from "./use-lightbox";

/** So many stand side by side; the others are behind the last of them. */
const TILES = 4;

/** Shapes by the number of tiles; each has its height from its width, so that nothing moves when pictures arrive. */
const grids = [
  "",
  "aspect-[3/2]",
  "aspect-[2/1] grid-cols-2",
  "aspect-[3/2] grid-cols-2 grid-rows-2",
  "aspect-[4/3] grid-cols-2 grid-rows-2",
];

/** Pictures attached to a post as a grid; without JavaScript each is a link to itself. */
export function Gallery({ images }: { readonly images: readonly string[] }) {
  const { t } = useWords();
  const [open, box] = useLightbox();
  const address = usePictureAddress();
  const pictures = images.map((image, i) => ({ src: address(image), alt: t("post.image", { n: i + 1 }) }));
  const tiles = Math.min(images.length, TILES);
  const show = (event: MouseEvent, at: number) => {
    // Whoever asks for a new tab gets one.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open(pictures, at);
  };
  return (
    <>
      <ul
        aria-label={t("gallery.label")}
        className={cx(
          "grid gap-0.5 overflow-hidden rounded-sheet border bg-line noscript:aspect-auto",
          grids[tiles],
        )}
      >
        {pictures.map(({ src, alt }, i) => {
          const behind = i === TILES - 1 ? images.length - TILES : 0;
          return (
            <li
              key={src}
              className={cx(
                "relative min-h-0 bg-wash",
                tiles === 3 && i === 0 && "row-span-2",
                i >= TILES && "hidden noscript:block",
              )}
            >
              <a
                href={src}
                target="_blank"
                rel="noopener noreferrer nofollow ugc"
                aria-haspopup="dialog"
                aria-label={
                  behind > 0
                    ? `${t("gallery.open", { name: alt })}, ${t("gallery.more", { n: behind })}`
                    : t("gallery.open", { name: alt })
                }
                onClick={(event) => show(event, i)}
                className="block size-full cursor-zoom-in focus-visible:-outline-offset-4"
              >
                <Image
                  src={src}
                  alt={alt}
                  loading={i < TILES ? undefined : "lazy"}
                  decoding="async"
                  className={cx("size-full", tiles === 1 ? "object-contain" : "object-cover")}
                />
                {behind > 0 ? (
                  <span
                    aria-hidden="true"
                    className="absolute end-2 bottom-2 rounded-full border bg-sheet px-3 py-1 text-sm font-medium text-ink noscript:hidden"
                  >
                    {t("gallery.more", { n: behind })}
                  </span>
                ) : null}
              </a>
            </li>
          );
        })}
      </ul>
      {box}
    </>
  );
}
