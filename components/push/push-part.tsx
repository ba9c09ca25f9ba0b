"use client";

import dynamic from "next/dynamic";
import { Skeleton } from "@/components/ui/notes";
import * as en from "@/lib/i18n/en";

const PushPanel = dynamic(() => import("./push-panel").then((m) => m.PushPanel), {
  ssr: false,
  loading: () => (
    <div role="status" aria-label={en.common.loading}>
      <Skeleton className="h-16 w-full" />
    </div>
  ),
});

/** Whether this device is told while the site is closed; only a browser knows, so it is not rendered before. */
export function PushPart() {
  return (
    <section aria-labelledby="push" className="grid gap-3 border-t pt-5">
      <h2 id="push" className="font-serif text-lg font-semibold">
        {en.push.title}
      </h2>
      <PushPanel />
    </section>
  );
}
