"use client";

import { type ReactNode, useRef, useState } from "react";
import { useLazyComponent } from "@/components/ui/use-lazy-component";
import type { LightboxProps, Picture } from "./lightbox";

const loadLightbox = () => import("./lightbox").then(({ Lightbox }) => Lightbox);

/** Shows pictures in a lightbox, which loads on first use. @returns how to open it, and the element to render */
export function useLightbox(): readonly [(pictures: readonly Picture[], first: number) => void, ReactNode] {
  const [opened, setOpened] = useState<Omit<LightboxProps, "onClose"> | null>(null);
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
