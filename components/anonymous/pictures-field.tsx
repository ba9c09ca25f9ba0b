import { type ChangeEvent, useEffect, useState } from "react";
import { useWords } from "#words";
import { UnfitPictureError } from "@/components/compose/pictures";
import { Button } from "@/components/ui/button";
import { Field, Input, TextField } from "@/components/ui/field";
import type { WaitingPicture } from "@/lib/client/anonymous/store";
import { LIMITS, uploadTypes } from "@/lib/contract/limits";
import { withoutTrace } from "./picture";

export interface PicturesFieldProps {
  readonly pictures: readonly WaitingPicture[];
  readonly onChange: (pictures: readonly WaitingPicture[]) => void;
}

const ALT_LENGTH = 200;

/** Adds pictures to a post without a name. They stay on this device until it is sent. */
export function PicturesField({ pictures, onChange }: PicturesFieldProps) {
  const { t } = useWords();
  const [problem, setProblem] = useState<string | null>(null);
  const add = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(currentTarget.files ?? [])];
    currentTarget.value = "";
    setProblem(null);
    const added: WaitingPicture[] = [];
    for (const file of files.slice(0, LIMITS.post.images - pictures.length)) {
      try {
        added.push(await withoutTrace(file));
      } catch (error) {
        if (!(error instanceof UnfitPictureError)) throw error;
        setProblem(t("anonymous.pictures.unfit"));
      }
    }
    onChange([...pictures, ...added]);
  };
  return (
    <div className="grid gap-3">
      <Field
        label={t("anonymous.pictures.label")}
        hint={t("anonymous.pictures.hint", { n: LIMITS.post.images })}
        error={problem}
      >
        {(control) => (
          <Input
            {...control}
            type="file"
            className="py-2"
            multiple
            accept={uploadTypes.join(",")}
            disabled={pictures.length >= LIMITS.post.images}
            onChange={(event) => void add(event)}
          />
        )}
      </Field>
      {pictures.length === 0 ? null : (
        <ul className="grid gap-3">
          {pictures.map((picture, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: their order is all that tells them apart
            <li key={at} className="flex flex-wrap items-end gap-3">
              <Thumbnail picture={picture} />
              <div className="min-w-40 flex-1">
                <TextField
                  label={t("anonymous.pictures.alt", { n: at + 1 })}
                  value={picture.alt}
                  onValue={(alt) => onChange(pictures.with(at, { ...picture, alt }))}
                  maxLength={ALT_LENGTH}
                  dir="auto"
                  autoComplete="off"
                />
              </div>
              <Button
                size="sm"
                tone="quiet"
                aria-label={t("anonymous.pictures.removeOf", { n: at + 1 })}
                onClick={() => onChange(pictures.toSpliced(at, 1))}
              >
                {t("anonymous.pictures.remove")}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Thumbnail({ picture: { bytes, type } }: { readonly picture: WaitingPicture }) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, type]);
  return address ? (
    // biome-ignore lint/performance/noImgElement: it is on this device alone
    <img src={address} alt="" className="size-16 rounded-control object-cover" />
  ) : null;
}
