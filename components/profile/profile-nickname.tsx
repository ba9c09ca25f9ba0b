"use client";

import { useRouter } from "next/navigation";
import { NicknameForm } from "./nickname-form";

export interface ProfileNicknameProps {
  /** The present one, or null while none is chosen. */
  readonly current: string | null;
  /** Where a new member goes once they have a nickname; null stays. */
  readonly next: string | null;
}

/** The nickname form of the profile page: the server's parts follow once it is saved. */
export function ProfileNickname({ current, next }: ProfileNicknameProps) {
  const router = useRouter();
  return (
    <NicknameForm
      current={current}
      onSaved={() => {
        if (next) router.push(next);
        router.refresh();
      }}
    />
  );
}
