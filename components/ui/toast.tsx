"use client";

import { useEffect, useState } from "react";
import { useWords } from "#words";
import { cx } from "./cx";
import { SpriteUse } from "./sprite-use";

export interface ToastMessage {
  readonly text: string;
  readonly tone?: "plain" | "wrong";
  readonly action?: { readonly label: string; readonly href: string };
}
interface Shown extends ToastMessage {
  readonly id: number;
}

type Listener = (message: ToastMessage) => void;
const listeners = new Set<Listener>();

/** Shows a toast, which screen readers announce and which disappears on its own. */
export function toast(message: ToastMessage): void {
  for (const listener of listeners) listener(message);
}

const LIFE_MS = 7000;

/** Renders the toasts; once per page, in the root layout. */
export function Toaster() {
  const { t } = useWords();
  const [shown, setShown] = useState<readonly Shown[]>([]);
  useEffect(() => {
    let next = 0;
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const listener: Listener = (message) => {
      const entry = { ...message, id: next++ };
      setShown((list) => [...list.slice(-2), entry]);
      timers.add(setTimeout(() => setShown((list) => list.filter((one) => one.id !== entry.id)), LIFE_MS));
    };
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      for (const timer of timers) clearTimeout(timer);
    };
  }, []);
  return (
    // On a phone above, where they cover no button.
    <section
      aria-label={t("common.messages")}
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 top-[calc(60px+env(safe-area-inset-top))] z-50 grid justify-items-center gap-2 px-4 md:top-auto md:bottom-6"
    >
      {shown.map((message) => (
        <div
          key={message.id}
          className={cx(
            "rise pointer-events-auto flex max-w-md items-center gap-3 rounded-sheet border bg-sheet py-2 ps-4 pe-2 shadow-float",
            message.tone === "wrong" ? "border-seal" : "border-line",
          )}
        >
          <p className="text-base">{message.text}</p>
          {message.action ? (
            <a href={message.action.href} className="link whitespace-nowrap">
              {message.action.label}
            </a>
          ) : null}
          <button
            type="button"
            aria-label={t("common.dismiss")}
            className="tap inline-flex size-8 shrink-0 items-center justify-center text-soft hover:text-ink"
            onClick={() => setShown((list) => list.filter((one) => one.id !== message.id))}
          >
            <SpriteUse icon="close" />
          </button>
        </div>
      ))}
    </section>
  );
}
