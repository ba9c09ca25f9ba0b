import type { ReactNode } from "react";
import { WithWords } from "@/app/_parts/words";

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <WithWords
      groups={[
        "comment",
        "gallery",
        "membership",
        "mention",
        "moderate",
        "own",
        "poll",
        "reaction",
        "reason",
        "record",
        "report",
        "seal",
        "share",
        "video",
      ]}
    >
      {children}
    </WithWords>
  );
}
