"use client";

import { X } from "lucide-react";
import {
  type MouseEvent,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
} from "react";
import { useWords } from "#words";
import { IconButton } from "./button";
import { cx } from "./cx";

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
  readonly className?: string;
}

/**
 * A dialog on wide windows, a bottom sheet on phones. The native modal element provides the focus trap, Escape and the
 * inert background without JavaScript or injected styles.
 */
export function Dialog({ open, onClose, title, children, footer, className }: DialogProps) {
  const { t } = useWords();
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    if (open && !dialog.open) dialog.showModal();
    if (!open && dialog.open) dialog.close();
  }, [open]);
  useLayoutEffect(() => {
    const dialog = ref.current;
    // Removed while open, it would not return the focus.
    return () => dialog?.close();
  }, []);
  // In development React mounts twice, and the event of the first comes when the dialog is open again.
  const closed = () => {
    if (!ref.current?.open) onClose();
  };
  // The browser says only in the next frame that it closed; until then, whoever opens the dialog again would see nothing.
  const cancel = (event: SyntheticEvent) => {
    event.preventDefault();
    onClose();
  };
  const closeOnBackdrop = (event: MouseEvent<HTMLDialogElement>) => {
    if (event.target === ref.current) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keyboard users press Escape, which the browser handles
    <dialog
      ref={ref}
      aria-labelledby={id}
      onCancel={cancel}
      onClose={closed}
      onClick={closeOnBackdrop}
      className={cx(
        "m-0 mt-auto text-start text-base text-ink max-h-[85dvh] w-full max-w-none rounded-t-[16px] bg-sheet shadow-float backdrop:bg-black/45",
        "md:m-auto md:w-[min(520px,calc(100vw-48px))] md:rounded-sheet md:border md:border-line",
        "rise overscroll-contain pb-[env(safe-area-inset-bottom)] md:pb-0",
        className,
      )}
    >
      {open ? (
        <div className="grid gap-4 p-5">
          <header className="flex items-start justify-between gap-3">
            <h2 id={id} className="pt-1 font-serif text-xl font-semibold">
              {title}
            </h2>
            <IconButton label={t("common.close")} onClick={onClose} className="-mt-0.5 -mr-2">
              <X className="size-5" aria-hidden />
            </IconButton>
          </header>
          {children}
          {footer ? <footer className="flex flex-wrap justify-end gap-2">{footer}</footer> : null}
        </div>
      ) : null}
    </dialog>
  );
}
