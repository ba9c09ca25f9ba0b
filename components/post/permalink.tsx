"use client";

import Link from "next/link";
import { useSearchParams } from "next/navigation";
import type { MouseEvent, ReactNode } from "react";
import { commentPlace } from "@/lib/client/places";

/** Id of an element that shows a comment. */
export function commentElement(commentId: string): string {
  return `comment-${commentId}`;
}

/** The comment that the page's address leads to, or null. */
export function useLinkedComment(): string | null {
  return useSearchParams().get("comment");
}

export interface PermalinkProps {
  readonly postId: string;
  readonly commentId: string;
  readonly label?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A link to a comment. One that stands on this page is gone to without asking the server, a network or none. */
export function Permalink({ postId, commentId, label, className, children }: PermalinkProps) {
  const place = commentPlace(postId, commentId);
  const go = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const element = document.getElementById(commentElement(commentId));
    if (!element) return;
    event.preventDefault();
    window.history.pushState(null, "", place);
    // Pressed once more, the address stays and nothing else would move there.
    showComment(element);
  };
  return (
    <Link href={place} prefetch={false} scroll={false} aria-label={label} onClick={go} className={className}>
      {children}
    </Link>
  );
}

/** Brings a comment into view and moves the focus there. */
export function showComment(element: HTMLElement): void {
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: "start" });
}
