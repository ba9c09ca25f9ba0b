"use client";

import dynamic from "next/dynamic";
import { useWords } from "#words";
import { Skeleton } from "@/components/ui/notes";

const PushPanel = dynamic(() => import("./push-panel").then((m) => m.PushPanel), {
  ssr: false,
  loading: () => <Loading />,
});

/** Push message settings of this device. Only the browser knows them, so the server does not render them. */
export function PushPart() {
  const { t } = useWords();
  return (
    <section aria-labelledby="push" className="grid gap-3 border-t pt-5">
      <h2 id="push" className="font-serif text-lg font-semibold">
        {t("push.title")}
      </h2>
      <PushPanel />
    </section>
  );
}

function Loading() {
  const { t } = useWords();
  return (
    <div role="status" aria-label={t("common.loading")}>
      <Skeleton className="h-16 w-full" />
    </div>
  );
}
