"use client";

import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { useWords } from "#words";
import { Note, Skeleton } from "@/components/ui/notes";
import type { ComposerProps } from "./composer";
import type { EditFormProps } from "./edit-form";

// The editor is the largest script of the site, so only these pages load it.
const Composer = dynamic(() => import("./composer").then((m) => m.Composer), {
  ssr: false,
  loading: () => <Loading />,
});
const EditForm = dynamic(() => import("./edit-form").then((m) => m.EditForm), {
  ssr: false,
  loading: () => <Loading />,
});

/** The composer, with a skeleton while it loads. */
export function ComposerLoader(props: ComposerProps) {
  return (
    <WithScript>
      <Composer {...props} />
    </WithScript>
  );
}

/** The form that edits a post, with a skeleton while it loads. */
export function EditFormLoader(props: EditFormProps) {
  return (
    <WithScript>
      <EditForm {...props} />
    </WithScript>
  );
}

function WithScript({ children }: { readonly children: ReactNode }) {
  const { t } = useWords();
  return (
    <>
      {children}
      <noscript>
        <Note tone="warning">{t("common.needsScript")}</Note>
      </noscript>
    </>
  );
}

function Loading() {
  const { t } = useWords();
  return (
    <div className="grid gap-4" role="status" aria-label={t("common.loading")}>
      <Skeleton className="h-12 w-2/3" />
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
  );
}
