"use client";

import { QrCode as QrIcon } from "lucide-react";
import { useState } from "react";
import { useWords } from "#words";
import { Button, IconButton } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { useLate } from "@/components/ui/use-late";

const loadQr = () => import("@/components/relay/qr").then(({ QrCode }) => QrCode);

export interface InviteLinkProps {
  readonly url: string;
  /** Where it can be said out loud. */
  readonly code?: string;
}

/** A link to hand out: copied, read off, or scanned. */
export function InviteLink({ url, code }: InviteLinkProps) {
  const { t } = useWords();
  const [copied, setCopied] = useState(false);
  const [scan, setScan] = useState(false);
  const qr = useLate(loadQr);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      setCopied(true);
      setTimeout(() => setCopied(false), 1600);
    } catch {
      toast({ text: t("invites.notCopied"), tone: "wrong" });
    }
  };
  return (
    <div className="grid gap-3">
      {code ? (
        <p className="font-mono text-2xl tracking-widest">
          <span className="sr-only">{t("invites.code")} </span>
          {code}
        </p>
      ) : null}
      <div className="flex flex-wrap gap-2 sm:flex-nowrap">
        <Input
          readOnly
          value={url}
          aria-label={t("invites.link")}
          className="min-w-0 basis-full font-mono text-sm sm:basis-auto"
          onFocus={(event) => event.target.select()}
        />
        <Button onClick={() => void copy()} className="flex-1 sm:flex-none">
          <span aria-live="polite">{copied ? t("invites.copied") : t("invites.copy")}</span>
        </Button>
        <IconButton
          label={t(scan ? "invites.hideQr" : "invites.showQr")}
          aria-expanded={scan}
          aria-busy={qr.busy || undefined}
          onClick={() => qr.bring(() => setScan((was) => !was))}
          className="size-10 border"
        >
          <QrIcon className="size-5" aria-hidden />
        </IconButton>
      </div>
      {scan && qr.Part ? <qr.Part text={url} label={t("invites.qr")} /> : null}
    </div>
  );
}
