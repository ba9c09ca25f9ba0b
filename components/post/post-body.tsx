"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useWords } from "#words";
import { watchImages } from "./body-images";
import type { Picture } from "./lightbox";
import { useShownContent } from "./shown-content";
import { useLightbox } from "./use-lightbox";

export interface PostBodyProps {
  /** Nicknames of people whom the post names. */
  readonly names: readonly string[];
  readonly topicId: string;
}

/**
 * A post's HTML. The server sanitised it when it was written and renders it without JavaScript; the browser
 * sanitises it once more with its own parser and replaces it should the two ever disagree. Names become links then.
 */
export function PostBody({ names, topicId }: PostBodyProps) {
  const { shown: html } = useShownContent();
  const root = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(html);
  const { t } = useWords();
  const [open, box] = useLightbox();
  const named = names.join(" ");
  useEffect(() => {
    let gone = false;
    import("./sanitise").then(({ sanitise }) => {
      if (!gone) setShown(sanitise(html, { names: named.split(" ").filter(Boolean), topicId }));
    });
    return () => {
      gone = true;
    };
  }, [html, named, topicId]);
  useEffect(() => {
    // What scrolls sideways must be reachable by keyboard.
    for (const block of root.current?.querySelectorAll<HTMLElement>("pre, table") ?? []) {
      if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
    }
  });
  const openImage = useEffectEvent((pictures: readonly Picture[], at: number) => open(pictures, at));
  const imageWords = useEffectEvent(() => ({
    nameOf: (n: number) => t("gallery.image", { n }),
    open: (name: string) => t("gallery.open", { name }),
    gone: t("gallery.gone"),
  }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: new HTML has new pictures
  useEffect(() => {
    return root.current ? watchImages(root.current, imageWords(), openImage) : undefined;
  }, [shown]);
  return (
    <>
      <div
        ref={root}
        className="prose-post"
        dir="auto"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised on write, and again here
        dangerouslySetInnerHTML={{ __html: shown }}
      />
      {box}
    </>
  );
}
