"use client";

import { later, useLater } from "@/components/use-later";

const parts = later(() => import("./parts").then(({ Parts }) => Parts));

/** What every page can do without until it has loaded. */
export function LaterParts() {
  const Loaded = useLater(parts);
  return Loaded ? <Loaded /> : null;
}
