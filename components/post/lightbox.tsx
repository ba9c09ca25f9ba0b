"use client";

import { ChevronLeft, ChevronRight, ExternalLink, X } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { IconButton } from "@/components/ui/button";
import { Image } from "./image";

export interface Picture {
  readonly src: string;
  readonly alt: string;
}

export interface LightboxProps {
  readonly pictures: readonly Picture[];
  /** Index of the first picture to show. */
  readonly first: number;
  readonly onClose: () => void;
}

const SWIPE_PX = 48;

/** Pictures in a modal dialog over the whole window. Arrow keys and swipes show others, Escape closes. */
export function Lightbox({ pictures, first, onClose }: LightboxProps) {
  const { t } = useWords();
  const [at, setAt] = useState(first);
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useRef<HTMLButtonElement>(null);
  const start = useRef<number | null>(null);
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
    close.current?.focus();
  }, []);
  const total = pictures.length;
  const picture = pictures[at];
  const turn = (by: number) => setAt((was) => (was + by + total) % total);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowRight") turn(1);
    else if (event.key === "ArrowLeft") turn(-1);
    else if (event.key === "Home") setAt(0);
    else if (event.key === "End") setAt(total - 1);
    else return;
    event.preventDefault();
  };
  const onPointerDown = (event: PointerEvent) => {
    start.current = event.isPrimary && event.pointerType !== "mouse" ? event.clientX : null;
  };
  const onPointerUp = (event: PointerEvent) => {
    const moved = start.current === null ? 0 : event.clientX - start.current;
    start.current = null;
    if (Math.abs(moved) >= SWIPE_PX) turn(moved < 0 ? 1 : -1);
    // Beside the picture, as everywhere. By keyboard, Escape does.
    else if (event.target === event.currentTarget) dialog.current?.close();
  };
  if (!picture) return null;
  return (
    <dialog
      ref={dialog}
      aria-label={t("gallery.label")}
      onClose={onClose}
      onKeyDown={onKeyDown}
      className="m-0 size-full max-h-none max-w-none bg-paper p-0 text-base text-ink"
    >
      <div className="grid h-dvh grid-rows-[auto_minmax(0,1fr)_auto] pb-[env(safe-area-inset-bottom)] pt-[env(safe-area-inset-top)]">
        <header className="flex items-center gap-1 border-b px-2 py-1">
          <p className="flex-1 px-2 text-sm text-soft tabular-nums" aria-hidden="true">
            {total > 1 ? t("gallery.at", { n: at + 1, total }) : null}
          </p>
          <a
            href={picture.src}
            target="_blank"
            rel="noopener noreferrer nofollow ugc"
            aria-label={t("gallery.original")}
            title={t("gallery.original")}
            className="ease tap inline-flex size-9 items-center justify-center rounded-control text-soft hover:bg-wash hover:text-ink"
          >
            <ExternalLink className="size-5" aria-hidden />
          </a>
          <IconButton ref={close} label={t("common.close")} onClick={() => dialog.current?.close()}>
            <X className="size-5" aria-hidden />
          </IconButton>
        </header>
        <div
          className="relative flex touch-pan-y touch-pinch-zoom items-center justify-center p-2 select-none sm:px-16"
          onPointerDown={onPointerDown}
          onPointerUp={onPointerUp}
          onPointerCancel={() => {
            start.current = null;
          }}
        >
          <Image
            key={picture.src}
            src={picture.src}
            alt={picture.alt}
            draggable={false}
            className="max-h-full max-w-full object-contain"
          />
        </div>
        <footer className="flex min-h-14 items-center gap-2 border-t px-2 py-1">
          {total > 1 ? (
            <IconButton label={t("gallery.previous")} onClick={() => turn(-1)}>
              <ChevronLeft className="size-6" aria-hidden />
            </IconButton>
          ) : null}
          <p aria-live="polite" className="min-w-0 flex-1 py-1 text-center text-sm" dir="auto">
            <span className="sr-only">{total > 1 ? `${t("gallery.at", { n: at + 1, total })}: ` : null}</span>
            <span className="line-clamp-3">{picture.alt}</span>
          </p>
          {total > 1 ? (
            <IconButton label={t("gallery.next")} onClick={() => turn(1)}>
              <ChevronRight className="size-6" aria-hidden />
            </IconButton>
          ) : null}
        </footer>
      </div>
    </dialog>
  );
}
