"use client";

import { Link2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useWords } from "#words";
import type { MenuItem } from "@/components/ui/menu";
import { useLazyComponent } from "@/components/ui/use-lazy-component";
import { minutesUntilRecordable, type RecordOffer } from "./record";

const loadDialog = () => import("./record-dialog").then(({ RecordDialog }) => RecordDialog);

interface RecordItem {
  /** The menu's entry, or none. */
  readonly items: readonly MenuItem[];
  /** To render. */
  readonly dialog: ReactNode;
}

/** Returns the menu entry that records a post. The focus returns to the menu's button. @param offer null for none */
export function useRecordItem(postId: string, offer: RecordOffer | null): RecordItem {
  const { t } = useWords();
  const router = useRouter();
  const { Component, load } = useLazyComponent(loadDialog);
  const [isOpen, setOpen] = useState(false);
  const left = useMinutesLeft(offer);
  const recorded = useCallback(() => router.refresh(), [router]);
  // It stays open after the post was recorded, which ends the offer.
  const [known, setKnown] = useState<RecordOffer | null>(null);
  const shown = known ?? offer;
  const dialog =
    isOpen && Component && shown ? (
      <Component
        postId={postId}
        chainName={shown.chainName}
        known={shown.known}
        onClose={() => {
          setOpen(false);
          setKnown(null);
        }}
        onRecorded={recorded}
      />
    ) : null;
  if (!offer) return { items: [], dialog };
  const entry = { label: t("record.record"), icon: <Link2 className="size-4" aria-hidden /> };
  const item: MenuItem =
    left > 0
      ? { ...entry, hint: t("record.tooNew", { minutes: left }), isOff: true }
      : {
          ...entry,
          hint: t("record.hint"),
          onSelect: () =>
            load(() => {
              setKnown(offer);
              setOpen(true);
            }),
        };
  return { items: [item], dialog };
}

/** Returns the minutes until a post is old enough: first as the server counted, then by this device's clock. */
function useMinutesLeft(offer: RecordOffer | null): number {
  const [left, setLeft] = useState(offer?.minutesLeft ?? 0);
  const createdAt = offer?.createdAt;
  useEffect(() => {
    if (!createdAt) return;
    const count = () => setLeft(minutesUntilRecordable(createdAt, Date.now()));
    count();
    const timer = setInterval(count, 30_000);
    return () => clearInterval(timer);
  }, [createdAt]);
  return left;
}
