"use client";

import Link from "next/link";
import { useSearchParams } from "next/navigation";
import type { MouseEvent, ReactNode } from "react";
import { commentPlace } from "@/lib/client/places";

/** Returns the element id of a comment. */
export function commentElement(commentId: string): string {
  return `comment-${commentId}`;
}

/** Returns the id of the comment that the page's address links to, or null. */
export function useLinkedComment(): string | null {
  return useSearchParams().get("comment");
}

export interface PermalinkProps {
  readonly postId: string;
  readonly commentId: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A link to a comment. Scrolls to a comment on this page without a request, so it works offline. */
export function Permalink({ postId, commentId, className, children }: PermalinkProps) {
  const place = commentPlace(postId, commentId);
  const go = (event: MouseEvent) => {
    if (hasModifier(event)) return;
    const element = document.getElementById(commentElement(commentId));
    if (!element) return;
    event.preventDefault();
    window.history.pushState(null, "", place);
    // On a second click the address does not change, so nothing else would scroll.
    showComment(element);
  };
  return (
    <Link href={place} prefetch={false} scroll={false} onClick={go} className={className}>
      {children}
    </Link>
  );
}

/** Scrolls to a comment and focuses it. */
export function showComment(element: HTMLElement): void {
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: "start" });
  keepInView(element);
}

/** In this time the pictures above a comment have usually loaded. */
const SETTLING_MS = 5_000;

/** Scrolls to an element again when the page grows above it, until the reader does something. */
function keepInView(element: HTMLElement): void {
  const growth = new ResizeObserver(() => element.scrollIntoView({ block: "start" }));
  const done = new AbortController();
  const stop = () => {
    growth.disconnect();
    clearTimeout(timer);
    done.abort();
  };
  const timer = setTimeout(stop, SETTLING_MS);
  for (const act of ["wheel", "touchstart", "pointerdown", "keydown"]) {
    window.addEventListener(act, stop, { passive: true, signal: done.signal });
  }
  growth.observe(document.body);
}

/** Returns whether a click asks for a new tab or window, which a click handler must leave to the browser. */
export function hasModifier({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return metaKey || ctrlKey || shiftKey || altKey;
}
