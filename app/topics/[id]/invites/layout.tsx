import type { ReactNode } from "react";
import { WithWords } from "@/app/_parts/words";

export default function Layout({ children }: { readonly children: ReactNode }) {
  return <WithWords groups={["invites", "share"]}>{children}</WithWords>;
}
