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

/** Largest side of a member's picture in pixels. */
const MAX_SIDE = 512;
const QUALITY = 0.9;

/** Crops an image. Redrawing it drops its metadata: location, time and camera. */
async function cropImage(image: HTMLImageElement, { x, y, width, height }: Area): Promise<File> {
  const canvas = document.createElement("canvas");
  const side = Math.max(1, Math.min(MAX_SIDE, Math.round(width)));
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser cannot draw");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, x, y, width, height, 0, 0, side, side);
  const blob = await new Promise<Blob | null>((resolve) => {
    // Browsers without WebP support write PNG instead.
    canvas.toBlob(resolve, "image/webp", QUALITY);
  });
  if (!blob) throw new Error("this browser cannot write the picture");
  const name = blob.type === "image/webp" ? "picture.webp" : "picture.png";
  return new File([blob], name, { type: blob.type });
}

const MAX_ZOOM = 4;
/** Screen pixels per arrow key press; with Shift a fifth. */
const KEY_STEP = 10;

export interface CropDialogProps {
  readonly file: File;
  readonly onClose: () => void;
  readonly onSaved: (address: string) => void;
}

/** Crops a round picture and uploads it as the member's. */
export function CropDialog({ file, onClose, onSaved }: CropDialogProps) {
  const words = useWords();
  const { t } = words;
  const [source, setSource] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setSource(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
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
  /** Uploaded part of the bytes, 0 to 1; null while there is no upload. */
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
      const picture = await cropImage(image, area);
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
            // The imported stylesheet replaces the <style> it would inject, which has no nonce.
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
