"use client";

import { Play } from "lucide-react";
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { cx } from "@/components/ui/cx";
import type { Post } from "@/lib/contract";
import { Image } from "./image";
import { usePictureAddress } from "./own-pictures";
import { hasModifier } from "./permalink";
import { proxied } from "./picture-address";
import { type Player, playerOf } from "./players";
import { useLightbox } from "./use-lightbox";

/** The pictures and videos attached to a post. */
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

/** Pictures that show at once; the last one leads to the others. */
const TILES = 4;

/** Grids by number of tiles, with fixed aspect ratios, so that nothing moves when pictures load. */
const grids = [
  "",
  "aspect-[3/2]",
  "aspect-[2/1] grid-cols-2",
  "aspect-[3/2] grid-cols-2 grid-rows-2",
  "aspect-[4/3] grid-cols-2 grid-rows-2",
];

/** A grid of pictures; each is a link to the picture file, for readers without JavaScript. */
function Gallery({ images }: { readonly images: readonly string[] }) {
  const { t } = useWords();
  const [open, box] = useLightbox();
  const address = usePictureAddress();
  const pictures = images.map((image, i) => ({ src: address(image), alt: t("post.image", { n: i + 1 }) }));
  const tiles = Math.min(images.length, TILES);
  const show = (event: MouseEvent, at: number) => {
    if (hasModifier(event)) return;
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

/** Gives a frame the focus that Chromium may lose while it moves the frame to the process of its site. */
function refocus(frame: HTMLIFrameElement): void {
  if (document.activeElement !== frame) return;
  frame.blur();
  frame.focus();
}

/** A video whose site learns of the reader only when they play it. Until then, a link to the video's page. */
function Video({ player, label }: { readonly player: Player; readonly label: string }) {
  const { t } = useWords();
  const [state, setState] = useState<"still" | "playing" | "offline">("still");
  const [still, setStill] = useState(player.still);
  const frame = useRef<HTMLIFrameElement>(null);
  const picture = useRef<HTMLImageElement>(null);
  useEffect(() => {
    // It may have failed before this script ran.
    if (picture.current?.complete && picture.current.naturalWidth === 0) setStill(null);
  }, []);
  useEffect(() => {
    // The focused link is gone.
    if (state === "playing") frame.current?.focus();
  }, [state]);
  const play = (event: MouseEvent) => {
    if (hasModifier(event)) return;
    event.preventDefault();
    setState(navigator.onLine ? "playing" : "offline");
  };
  if (state === "playing") {
    return (
      <iframe
        ref={frame}
        src={player.src}
        onLoad={(event) => refocus(event.currentTarget)}
        title={label}
        allow="autoplay; fullscreen; picture-in-picture"
        referrerPolicy="strict-origin-when-cross-origin"
        sandbox="allow-scripts allow-same-origin allow-presentation"
        className="aspect-video w-full rounded-control border bg-wash"
      />
    );
  }
  return (
    <a
      href={player.page}
      target="_blank"
      rel="nofollow ugc noopener"
      onClick={play}
      className="group relative block aspect-video w-full overflow-hidden rounded-control border bg-wash"
    >
      {still ? (
        // biome-ignore lint/performance/noImgElement: next/image writes inline styles, which the CSP refuses
        <img
          ref={picture}
          src={proxied(still)}
          alt=""
          loading="lazy"
          onError={() => setStill(null)}
          className="absolute inset-0 size-full object-cover"
        />
      ) : null}
      <span
        className={cx(
          "absolute flex items-center gap-3 p-3 text-sm",
          still ? "inset-x-0 bottom-0 border-t bg-sheet" : "inset-0 flex-col justify-center text-center",
        )}
      >
        <span className="ease flex size-11 shrink-0 items-center justify-center rounded-full border bg-paper text-ink group-hover:border-line-strong">
          <Play className="size-5 fill-current" aria-hidden />
        </span>
        <span>
          <span className="block font-medium text-ink">{t("video.play", { site: player.site })}</span>
          <span className="block text-soft" role={state === "offline" ? "status" : undefined}>
            {state === "offline" ? t("video.offline") : t("video.privacy", { site: player.site })}
          </span>
        </span>
        <span className="sr-only">{label}</span>
      </span>
    </a>
  );
}
