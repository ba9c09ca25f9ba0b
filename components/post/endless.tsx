"use client";

import type { ReactNode } from "react";
import { later, useLater } from "@/components/use-later";
import type { NextPages } from "./post-source";

export interface EndlessProps extends NextPages {
  /** Links to the next and first page, for as long as there is no script. */
  readonly children: ReactNode;
}

const pages = later(() => import("./endless-pages").then(({ EndlessPages }) => EndlessPages));

/** Shows the next pages of a list below it once the reader comes near its end. Each page keeps an address of its own. */
export function Endless({ children, ...props }: EndlessProps) {
  const Pages = useLater(pages);
  return Pages ? <Pages {...props} /> : children;
}
