"use client";

import { ImagePlus, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ChangeEvent, type ReactNode, useRef, useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import { Button } from "@/components/ui/button";
import { Avatar } from "@/components/ui/identicon";
import { toast } from "@/components/ui/toast";
import { useLazyComponent } from "@/components/ui/use-lazy-component";

const loadCropDialog = () => import("./crop-dialog").then((m) => m.CropDialog);

export interface PictureProps {
  readonly userId: string;
  readonly image: string | null;
  /** Shown above the buttons. */
  readonly children: ReactNode;
}

/** The member's picture, with buttons to change or remove it. */
export function Picture({ userId, image, children }: PictureProps) {
  const words = useWords();
  const { t } = words;
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const [shown, setShown] = useState(image);
  const [file, setFile] = useState<File | null>(null);
  const [busy, setBusy] = useState(false);
  const crop = useLazyComponent(loadCropDialog);

  const onChosen = (event: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = event.target.files ?? [];
    // So that choosing the same file again is a change.
    event.target.value = "";
    if (chosen) crop.load(() => setFile(chosen));
  };
  const onSaved = (address: string) => {
    setShown(address);
    setFile(null);
    toast({ text: t("picture.saved") });
    router.refresh();
  };
  const remove = async () => {
    setShown(null);
    setBusy(true);
    const answer = await callApi(words, ({ api, contract }) => api.call(contract.profile.deleteImage, {}));
    setBusy(false);
    toast(answer.ok ? { text: t("picture.removed") } : { tone: "wrong", text: answer.sentence });
    if (answer.ok) router.refresh();
    else setShown(shown);
  };
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
      <Avatar userId={userId} image={shown} size="xl" alt={t("picture.yours")} />
      <div className="grid min-w-0 flex-1 basis-56 gap-2">
        {children}
        <div className="flex flex-wrap gap-2">
          <Button size="sm" busy={crop.busy} disabled={busy} onClick={() => input.current?.click()}>
            <ImagePlus className="size-4" aria-hidden />
            {shown ? t("picture.change") : t("picture.add")}
          </Button>
          {shown ? (
            <Button size="sm" tone="quiet" busy={busy} onClick={() => void remove()}>
              <Trash2 className="size-4" aria-hidden />
              {t("common.removePicture")}
            </Button>
          ) : null}
        </div>
      </div>
      <input
        ref={input}
        type="file"
        accept="image/*"
        aria-label={t("picture.add")}
        tabIndex={-1}
        onChange={onChosen}
        className="hidden"
      />
      {file && crop.Component ? (
        <crop.Component file={file} onClose={() => setFile(null)} onSaved={onSaved} />
      ) : null}
    </div>
  );
}
