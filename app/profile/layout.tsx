import type { ReactNode } from "react";
import { WithWords } from "@/app/_parts/words";

export default function Layout({ children }: { readonly children: ReactNode }) {
  return <WithWords groups={["picture", "profile", "seal"]}>{children}</WithWords>;
}
