"use client";

import type { ReactNodeViewProps } from "@tiptap/react";
import { ArrowDown, ArrowUp, RotateCw, Trash2, X } from "lucide-react";
import { createContext, useContext, useEffect, useId, useRef, useState, useSyncExternalStore } from "react";
import { useWords } from "#words";
import { sentence } from "@/components/api";
import { usePictureAddress } from "@/components/post/own-pictures";
import { Button, IconButton } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { Input } from "@/components/ui/field";
import { UPLOAD_MEGABYTES } from "@/lib/contract/limits";
import { movePicture, textAttribute } from "./picture-text";
import type { Upload, Uploads } from "./uploads";

/** Longest text alternative in characters; longer descriptions belong in the text. */
const MAX_ALT = 500;

export const UploadsContext = createContext<Uploads | null>(null);

/** A picture in the editor: its upload, its text alternative and its actions. */
export function PictureView({
  node,
  editor,
  getPos,
  updateAttributes,
  deleteNode,
  selected,
}: ReactNodeViewProps) {
  const { t } = useWords();
  const uploads = useContext(UploadsContext);
  const root = useRef<HTMLElement>(null);
  const id = textAttribute(node, "upload");
  const upload = useUpload(uploads, id);
  const address = usePictureAddress();
  const named = upload?.preview ?? textAttribute(node, "src");
  const src = named && address(named);
  const alt = textAttribute(node, "alt");
  const number = (value: string | null | undefined) => (value ? Number(value) : undefined);
  const move = (direction: -1 | 1) => {
    const at = getPos();
    if (at === undefined || !movePicture(editor, at, direction)) return;
    const name = direction < 0 ? "up" : "down";
    // React has rendered a new element for the moved picture.
    requestAnimationFrame(() => {
      const moved = editor.view.nodeDOM(editor.state.selection.from);
      if (moved instanceof HTMLElement) moved.querySelector<HTMLElement>(`[data-move="${name}"]`)?.focus();
    });
  };
  const remove = () => {
    if (id) uploads?.cancel(id);
    deleteNode();
    editor.commands.focus();
  };
  return (
    <figure
      ref={root}
      data-node-view-wrapper=""
      aria-label={t("composer.picture")}
      className={cx(
        "my-4 overflow-hidden rounded-sheet border bg-paper font-sans text-base",
        selected && "outline-2 outline-offset-2 outline-sea",
      )}
    >
      <div className="relative" data-drag-handle="">
        {src ? (
          // biome-ignore lint/performance/noImgElement: next/image writes inline styles, which the CSP refuses
          <img
            src={src}
            alt={alt ?? ""}
            width={upload?.width ?? number(textAttribute(node, "width"))}
            height={upload?.height ?? number(textAttribute(node, "height"))}
            draggable={false}
            className="mx-auto max-h-[60vh] rounded-none! object-contain"
          />
        ) : (
          <p className="p-6 text-center text-soft">{t("composer.pictureGone")}</p>
        )}
      </div>
      <div className="grid gap-2 border-t p-3">
        {upload ? <Progress upload={upload} uploads={uploads} /> : null}
        <AltField value={alt} onChange={(value) => updateAttributes({ alt: value })} />
        <div className="flex flex-wrap items-center gap-1">
          <IconButton label={t("composer.pictureUp")} data-move="up" onClick={() => move(-1)}>
            <ArrowUp className="size-4.5" aria-hidden />
          </IconButton>
          <IconButton label={t("composer.pictureDown")} data-move="down" onClick={() => move(1)}>
            <ArrowDown className="size-4.5" aria-hidden />
          </IconButton>
          <Button size="sm" tone="quiet" className="ms-auto" onClick={remove}>
            <Trash2 className="size-4" aria-hidden />
            {t("common.removePicture")}
          </Button>
        </div>
      </div>
    </figure>
  );
}

function useUpload(uploads: Uploads | null, id: string | null): Upload | undefined {
  const all = useSyncExternalStore(
    uploads?.watch ?? noWatch,
    () => uploads?.all(),
    () => undefined,
  );
  return id ? all?.get(id) : undefined;
}

const noWatch = () => () => undefined;

function Progress({ upload, uploads }: { readonly upload: Upload; readonly uploads: Uploads | null }) {
  const words = useWords();
  const { t } = words;
  const { id, state, part, problem, cause, isReduced } = upload;
  const percent = Math.floor(part * 100);
  if (state === "failed") {
    const why = problem
      ? t(`composer.pictureProblems.${problem}`, { megabytes: UPLOAD_MEGABYTES })
      : navigator.onLine
        ? sentence(words, cause)
        : t("composer.pictureOffline");
    return (
      <div className="flex flex-wrap items-center gap-2">
        <p role="alert" className="min-w-0 flex-1 basis-48 text-sm text-seal">
          {why}
        </p>
        {problem === null || problem === "cancelled" ? (
          <Button size="sm" onClick={() => uploads?.retry(id)}>
            <RotateCw className="size-4" aria-hidden />
            {t("common.sendAgain")}
          </Button>
        ) : null}
      </div>
    );
  }
  const note = isReduced ? (
    <p role="status" className="text-sm text-soft">
      {t("composer.pictureReduced")}
    </p>
  ) : null;
  if (state === "done") return note;
  return (
    <>
      <div className="flex items-center gap-3">
        <progress
          className="run-bar h-1.5 min-w-0 flex-1"
          max={1}
          value={part}
          aria-label={t("common.uploadingPicture")}
        />
        <span className="text-sm text-soft tabular-nums">{t("composer.picturePercent", { n: percent })}</span>
        <IconButton label={t("composer.pictureCancel")} onClick={() => uploads?.cancel(id)}>
          <X className="size-4.5" aria-hidden />
        </IconButton>
      </div>
      {note}
    </>
  );
}

interface AltFieldProps {
  /** Null until the author has decided. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}

/** Asks for a picture's text alternative, or whether it is decorative. */
function AltField({ value, onChange }: AltFieldProps) {
  const { t } = useWords();
  const id = useId();
  // The editor's state follows a moment later, which would break a syllable that is being composed.
  const [text, setText] = useState(value ?? "");
  const [isDecorative, setDecorative] = useState(value === "");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (document.activeElement === field.current) return;
    setText(value ?? "");
    setDecorative(value === "");
  }, [value]);
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {t("composer.alt")}
      </label>
      <Input
        ref={field}
        id={id}
        dir="auto"
        value={text}
        maxLength={MAX_ALT}
        disabled={isDecorative}
        placeholder={isDecorative ? t("composer.altDecorative") : t("composer.altPlaceholder")}
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          setText(event.target.value);
          onChange(event.target.value.trim() || null);
        }}
      />
      <p id={`${id}-hint`} className="sr-only">
        {t("composer.altHint")}
      </p>
      <label className="tap flex w-fit items-center gap-2 text-sm">
        <input
          type="checkbox"
          checked={isDecorative}
          className="size-4 accent-(--ink)"
          onChange={(event) => {
            setDecorative(event.target.checked);
            onChange(event.target.checked ? "" : text.trim() || null);
          }}
        />
        {t("composer.altDecorativeChoice")}
      </label>
    </div>
  );
}
