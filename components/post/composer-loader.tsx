"use client";

import dynamic from "next/dynamic";
import { Note, Skeleton } from "@/components/ui/notes";
import * as en from "@/lib/i18n/en";

/** The editor is the largest script of the site; it is loaded on this page only. */
const Composer = dynamic(() => import("./composer").then((m) => m.Composer), {
  ssr: false,
  loading: () => (
    <div className="grid gap-4" role="status" aria-label={en.common.loading}>
      <Skeleton className="h-12 w-2/3" />
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
  ),
});

/** The composer, with its shape while it loads. */
export function ComposerLoader({ topicId }: { readonly topicId: string }) {
  return (
    <>
      <Composer topicId={topicId} />
      <noscript>
        <Note tone="warning">{en.common.needsScript}</Note>
      </noscript>
    </>
  );
}
