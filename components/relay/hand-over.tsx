"use client";

import { Smartphone } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/notes";
import * as en from "@/lib/i18n/en";

const HandOverPanel = dynamic(() => import("./hand-over-panel").then((m) => m.HandOverPanel), {
  loading: () => <Skeleton className="h-96 w-full" />,
});

/** Signing in here with a proof made on a phone; what that needs is loaded when it is opened. */
export function HandOver({ next }: { readonly next: string }) {
  const [open, setOpen] = useState(false);
  if (open) return <HandOverPanel next={next} onClose={() => setOpen(false)} />;
  return (
    <div className="grid gap-2 border-t pt-5">
      <div>
        <Button onClick={() => setOpen(true)}>
          <Smartphone className="size-4" aria-hidden />
          {en.relay.use}
        </Button>
      </div>
      <p className="text-sm text-soft">{en.relay.useHint}</p>
    </div>
  );
}
