"use client";

import { type ReactNode, useRef, useState } from "react";
import { useLazyComponent } from "@/components/ui/use-lazy-component";
import type { Picture } from "./lightbox";

interface Opened {
  readonly pictures: readonly Picture[];
  readonly first: number;
}

const loadLightbox = () => import("./lightbox").then(({ Lightbox }) => Lightbox);

/**
 * Shows pictures in a lightbox, whose script loads on first use.
 * @returns the function that opens it at one of the pictures, and the element to render
 */
export function useLightbox(): readonly [(pictures: readonly Picture[], first: number) => void, ReactNode] {
  const [opened, setOpened] = useState<Opened | null>(null);
  const lightbox = useLazyComponent(loadLightbox);
  const opener = useRef<Element>(null);
  const open = (pictures: readonly Picture[], first: number) => {
    opener.current = document.activeElement;
    lightbox.load(() => setOpened({ pictures, first }));
  };
  const close = () => {
    setOpened(null);
    if (opener.current instanceof HTMLElement) opener.current.focus();
  };
  const box = opened && lightbox.Component ? <lightbox.Component {...opened} onClose={close} /> : null;
  return [open, box];
}
