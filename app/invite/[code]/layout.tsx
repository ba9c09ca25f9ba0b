import type { ReactNode } from "react";
import { proofGroups, WithWords } from "@/app/_parts/words";

export default function Layout({ children }: { readonly children: ReactNode }) {
  return <WithWords groups={["membership", "topic", ...proofGroups]}>{children}</WithWords>;
}
