"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useWords } from "#words";
import type { Words } from "@/lib/i18n/words";
import type { Picture } from "./lightbox";
import { useShownContent } from "./shown-content";
import { useLightbox } from "./use-lightbox";

export interface PostBodyProps {
  /** Nicknames that the post mentions. */
  readonly names: readonly string[];
}

/**
 * A post's HTML. The server sanitized it when the post was written. The browser sanitizes it again with its own parser,
 * in case the two parsers disagree, and turns mentions into links.
 */
export function PostBody({ names }: PostBodyProps) {
  const { shown: html } = useShownContent();
  const root = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(html);
  const { t } = useWords();
  const [open, box] = useLightbox();
  const named = names.join(" ");
  useEffect(() => {
    let gone = false;
    import("./sanitize").then(({ sanitize }) => {
      if (!gone) setShown(sanitize(html, named.split(" ").filter(Boolean)));
    });
    return () => {
      gone = true;
    };
  }, [html, named]);
  useEffect(() => {
    // A scrollable area must be reachable by keyboard.
    for (const block of root.current?.querySelectorAll<HTMLElement>("pre, table") ?? []) {
      if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
    }
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: new HTML has new code
  useEffect(() => {
    if (!root.current?.querySelector('pre > code[class^="language-"]')) return;
    let gone = false;
    import("./highlight").then(
      ({ highlight }) => {
        if (!gone && root.current) highlight(root.current);
      },
      // Without a network the code has no colours.
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [shown]);
  const openImage = useEffectEvent((pictures: readonly Picture[], at: number) => open(pictures, at));
  // biome-ignore lint/correctness/useExhaustiveDependencies: new HTML has new pictures
  useEffect(() => {
    return root.current ? watchImages(root.current, t, openImage) : undefined;
  }, [shown]);
  return (
    <>
      <div
        ref={root}
        className="prose-post"
        dir="auto"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized on write, and again here
        dangerouslySetInnerHTML={{ __html: shown }}
      />
      {box}
    </>
  );
}

/** Returns the pictures that open in the lightbox: those outside of links. */
function openable(root: HTMLElement): HTMLImageElement[] {
  return [...root.querySelectorAll("img")].filter((image) => !image.closest("a"));
}

/** Makes the pictures of a text buttons, and replaces those that fail to load with a note. @returns stops it */
function watchImages(
  root: HTMLElement,
  t: Words["t"],
  open: (pictures: readonly Picture[], at: number) => void,
): () => void {
  const nameOf = (image: HTMLImageElement, at: number) =>
    image.alt.trim() || t("gallery.image", { n: at + 1 });
  const replace = (image: HTMLImageElement) => {
    const note = root.ownerDocument.createElement("span");
    note.className = "image-gone";
    const gone = t("gallery.gone");
    note.textContent = image.alt.trim() ? `${gone} (${image.alt.trim()})` : gone;
    image.replaceWith(note);
  };
  // Some may have failed before this script ran.
  for (const image of root.querySelectorAll("img")) {
    if (image.complete && image.naturalWidth === 0) replace(image);
  }
  for (const [at, image] of openable(root).entries()) {
    image.tabIndex = 0;
    image.setAttribute("role", "button");
    image.setAttribute("aria-haspopup", "dialog");
    image.setAttribute("aria-label", t("gallery.open", { name: nameOf(image, at) }));
  }
  const show = (event: Event) => {
    const images = openable(root);
    const at = event.target instanceof HTMLImageElement ? images.indexOf(event.target) : -1;
    if (at === -1) return;
    event.preventDefault();
    images[at]?.focus();
    open(
      images.map((image, i) => ({ src: image.currentSrc || image.src, alt: nameOf(image, i) })),
      at,
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" || event.key === " ") show(event);
  };
  const onError = (event: Event) => {
    if (event.target instanceof HTMLImageElement) replace(event.target);
  };
  root.addEventListener("click", show);
  root.addEventListener("keydown", onKeyDown);
  // Error events do not bubble.
  root.addEventListener("error", onError, true);
  return () => {
    root.removeEventListener("click", show);
    root.removeEventListener("keydown", onKeyDown);
    root.removeEventListener("error", onError, true);
  };
}
