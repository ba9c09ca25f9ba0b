"use client";

import { type ReactNode, useRef, useState } from "react";
import { useWords } from "#words";
import { toast } from "@/components/ui/toast";
import type { Lightbox, Picture } from "./lightbox";

interface Opened {
  readonly Box: typeof Lightbox;
  readonly pictures: readonly Picture[];
  readonly at: number;
}

/**
 * Shows pictures large, one after the other; its script is fetched when it is wanted.
 * @returns the function that opens it at one of the pictures, and what is to be rendered
 */
export function useLightbox(): readonly [
  (pictures: readonly Picture[], at: number) => Promise<void>,
  ReactNode,
] {
  const { t } = useWords();
  const [opened, setOpened] = useState<Opened | null>(null);
  const opener = useRef<Element>(null);
  const open = async (pictures: readonly Picture[], at: number) => {
    opener.current = document.activeElement;
    try {
      const { Lightbox: Box } = await import("./lightbox");
      setOpened({ Box, pictures, at });
    } catch {
      toast({ text: t(navigator.onLine ? "problems.network" : "offline.nothingChanged"), tone: "wrong" });
    }
  };
  const close = () => {
    setOpened(null);
    if (opener.current instanceof HTMLElement) opener.current.focus();
  };
  const box = opened ? <opened.Box pictures={opened.pictures} first={opened.at} onClose={close} /> : null;
  return [open, box];
}
