"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { useIsBlocked } from "./blocks";

interface FoldedProps {
  /** Says what is folded away. */
  readonly label: string;
  readonly onShow: () => void;
}

/** Stands for a text by someone whom the reader blocked, with a button that shows it. */
export function Folded({ label, onShow }: FoldedProps) {
  const { t } = useWords();
  return (
    <p className="flex min-h-9 flex-wrap items-center gap-x-3 text-sm text-soft">
      <span className="italic">{label}</span>
      <button
        type="button"
        aria-label={t("post.showFoldedOf", { what: label })}
        onClick={onShow}
        className="tap inline-flex h-8 items-center font-medium text-sea hover:underline"
      >
        {t("post.showFolded")}
      </button>
    </p>
  );
}

interface FoldableProps extends Omit<FoldedProps, "onShow"> {
  readonly authorId: string;
  /** Whether the server said to fold it. */
  readonly isFolded: boolean;
  /** False for the topic's staff, for whom nothing folds. */
  readonly mayFold?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Shows its children, or that they are folded away until the reader asks for them. Then they get the focus. */
export function Foldable({ authorId, isFolded, mayFold = true, label, className, children }: FoldableProps) {
  const isBlocked = useIsBlocked(authorId, isFolded) && mayFold;
  const [isShown, setShown] = useState(false);
  const inside = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isShown) inside.current?.focus();
  }, [isShown]);
  // A later block folds it again.
  useEffect(() => {
    if (!isBlocked) setShown(false);
  }, [isBlocked]);
  if (isBlocked && !isShown) {
    return (
      <div className={className}>
        <Folded label={label} onShow={() => setShown(true)} />
      </div>
    );
  }
  return (
    <div ref={inside} tabIndex={isShown ? -1 : undefined} className={className}>
      {children}
    </div>
  );
}
