"use client";

import { Play } from "lucide-react";
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { cx } from "@/components/ui/cx";
import type { Player } from "./players";
import { proxied } from "./proxied";

/**
 * A video that its site learns of only when somebody plays it. Until then, and without JavaScript, a link to the
 * video's own page that looks like it.
 */
export function Video({ player, label }: { readonly player: Player; readonly label: string }) {
  const { t } = useWords();
  const [state, setState] = useState<"still" | "playing" | "offline">("still");
  const [still, setStill] = useState(player.still);
  const frame = useRef<HTMLIFrameElement>(null);
  const picture = useRef<HTMLImageElement>(null);
  useEffect(() => {
    // It may have failed before there was anybody to be told.
    if (picture.current?.complete && picture.current.naturalWidth === 0) setStill(null);
  }, []);
  useEffect(() => {
    // The link that had the focus is gone.
    if (state === "playing") frame.current?.focus();
  }, [state]);
  const play = (event: MouseEvent) => {
    // Whoever asks for a new tab gets one.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    setState(navigator.onLine ? "playing" : "offline");
  };
  if (state === "playing") {
    return (
      <iframe
        ref={frame}
        src={player.src}
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
