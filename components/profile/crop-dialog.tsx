"use client";

import { type RefObject, useEffect, useRef, useState } from "react";
import Cropper, { type Area } from "react-easy-crop";
import { useWords } from "#words";
import { api, contract, sentence } from "@/components/api";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNote } from "@/components/ui/notes";
import { uploadImage } from "@/lib/client/upload";
import "react-easy-crop/react-easy-crop.css";

/** Side of a member's picture in pixels, at most. */
const SIDE = 512;
const QUALITY = 0.9;

interface Square {
  /** In pixels of the image, as it is shown. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Draws a part of an image anew, 512 pixels wide at most. Nothing but pixels comes along: no place, time or camera.
 * @throws Error where the browser cannot encode it
 */
async function cutOut(image: HTMLImageElement, { x, y, width, height }: Square): Promise<File> {
  const canvas = document.createElement("canvas");
  const side = Math.max(1, Math.min(SIDE, Math.round(width)));
  canvas.width = side;
  canvas.height = side;
  const brush = canvas.getContext("2d");
  if (!brush) throw new Error("this browser cannot draw");
  brush.imageSmoothingQuality = "high";
  brush.drawImage(image, x, y, width, height, 0, 0, side, side);
  const blob = await new Promise<Blob | null>((resolve) => {
    // A browser that does not write WebP writes PNG instead and says so.
    canvas.toBlob(resolve, "image/webp", QUALITY);
  });
  if (!blob) throw new Error("this browser cannot write the picture");
  const name = blob.type === "image/webp" ? "picture.webp" : "picture.png";
  return new File([blob], name, { type: blob.type });
}

const MAX_ZOOM = 4;
/** Pixels of the screen; with Shift a fifth. */
const KEY_STEP = 10;

export interface CropDialogProps {
  readonly file: File;
  readonly onClose: () => void;
  /** With the address of the picture that is in place now. */
  readonly onSaved: (address: string) => void;
}

/** Cuts a round picture out of a file, by pointer, fingers or keys, and makes it the member's. */
export function CropDialog({ file, onClose, onSaved }: CropDialogProps) {
  const words = useWords();
  const { t } = words;
  const source = useObjectUrl(file);
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [area, setArea] = useState<Area | null>(null);
  const [image, setImage] = useState<HTMLImageElement | null>(null);
  const [isLoaded, setLoaded] = useState(false);
  const cropper = useRef<RefObject<HTMLDivElement | null>>(null);
  // The arrow keys work at once.
  useEffect(() => {
    if (isLoaded) cropper.current?.current?.focus();
  }, [isLoaded]);
  const [error, setError] = useState<string | null>(null);
  /** Part of the bytes that has left; null while nothing is on its way. */
  const [sent, setSent] = useState<number | null>(null);
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const save = async () => {
    if (!area || !image) return;
    setError(null);
    setSent(0);
    const controller = new AbortController();
    stop.current = controller;
    const { signal } = controller;
    try {
      const picture = await cutOut(image, area);
      const imageUrl = await uploadImage(picture, { purpose: "avatar", onProgress: setSent, signal });
      const { profileImage } = await api.call(contract.profile.setImage, { imageUrl }, { signal });
      onSaved(profileImage);
    } catch (cause) {
      if (signal.aborted) return;
      setError(sentence(words, cause));
      setSent(null);
    }
  };
  const close = () => {
    stop.current?.abort();
    onClose();
  };
  const busy = sent !== null;
  return (
    <Dialog
      open
      onClose={close}
      title={t("picture.cropTitle")}
      footer={
        <>
          <Button onClick={close}>{t("common.cancel")}</Button>
          <Button tone="primary" busy={busy} disabled={!area} onClick={() => void save()}>
            {error && area ? t("picture.again") : t("picture.use")}
          </Button>
        </>
      }
    >
      <div className="relative h-[min(56dvh,340px)] overflow-hidden rounded-control bg-wash">
        {source ? (
          <Cropper
            image={source}
            crop={crop}
            zoom={zoom}
            maxZoom={MAX_ZOOM}
            aspect={1}
            cropShape="round"
            showGrid={false}
            keyboardStep={KEY_STEP}
            // Its rules come as a file: a style element of a script has no nonce.
            disableAutomaticStylesInjection
            onCropChange={setCrop}
            onZoomChange={setZoom}
            onCropAreaChange={(_, pixels) => setArea(pixels)}
            setImageRef={({ current }) => setImage(current)}
            setCropperRef={(ref) => {
              cropper.current = ref;
            }}
            onMediaLoaded={() => setLoaded(true)}
            mediaProps={{ onError: () => setError(t("picture.notAPicture")) }}
            cropperProps={{ role: "application", "aria-label": t("picture.area") }}
          />
        ) : null}
      </div>
      <p className="text-sm text-soft">{t("picture.hint")}</p>
      <label className="grid gap-1.5 text-sm font-medium">
        {t("picture.zoom")}
        <input
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={0.05}
          value={zoom}
          disabled={busy}
          onChange={(event) => setZoom(Number(event.target.value))}
          className="tap w-full accent-(--ink)"
        />
      </label>
      {busy ? (
        <label className="grid gap-1.5 text-sm text-soft">
          {t("picture.uploading")}
          <progress value={sent} max={1} className="run-bar h-2 w-full" />
        </label>
      ) : null}
      {error ? <ErrorNote>{error}</ErrorNote> : null}
    </Dialog>
  );
}

/** An address of the file for this page, given back when it is not needed any more. */
function useObjectUrl(file: File): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}
