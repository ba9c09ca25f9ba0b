"use client";

import { Download } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/notes";
import { fileSize } from "@/lib/i18n/time";
import type { Download as Made, Progress } from "./download";

type State =
  | { readonly kind: "idle" }
  | { readonly kind: "running"; readonly progress: Progress | null }
  | { readonly kind: "done"; readonly progress: Progress }
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly sentence: string };

/** Times per second that the progress changes: each change is a rendering, and there are thousands of parts. */
const SHOWN_MS = 150;

/** Downloads everything that is the member's, with progress. It can be stopped; an error stays until the next try. */
export function DownloadMine() {
  const words = useWords();
  const { t } = words;
  const [state, setState] = useState<State>({ kind: "idle" });
  const stop = useRef<AbortController | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const start = async () => {
    const control = new AbortController();
    stop.current = control;
    setState({ kind: "running", progress: null });
    let shownAt = 0;
    const onProgress = (progress: Progress) => {
      const now = performance.now();
      if (now - shownAt < SHOWN_MS) return;
      shownAt = now;
      setState({ kind: "running", progress });
    };
    const answer = await callApi<Made>(words, async (client) => {
      const { downloadExport } = await import("./download");
      return await downloadExport(client, { signal: control.signal, onProgress });
    });
    stop.current = null;
    if (control.signal.aborted) setState({ kind: "stopped" });
    else if (answer.ok) setState({ kind: "done", progress: answer.value.progress });
    else setState({ kind: "failed", sentence: answer.sentence });
    // The button to stop it is gone.
    button.current?.focus();
  };

  const progress = state.kind === "running" ? state.progress : null;
  return (
    <div className="grid gap-3">
      <p className="text-soft">{t("settings.downloadLead")}</p>
      {state.kind === "running" ? (
        <div className="grid gap-2">
          <progress
            aria-label={t("settings.downloading")}
            value={progress ? progress.files : undefined}
            max={progress ? Math.max(progress.total, progress.files) : undefined}
            className="run-bar h-2 w-full"
          />
          <p className="text-sm text-soft tabular-nums">
            {progress
              ? t("settings.downloaded", {
                  n: progress.files,
                  total: Math.max(progress.total, progress.files),
                  size: fileSize(words, progress.bytes),
                })
              : t("settings.downloadBegins")}{" "}
            {t("settings.downloadStay")}
          </p>
        </div>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button ref={button} busy={state.kind === "running"} onClick={() => void start()}>
          <Download className="size-4" aria-hidden />
          {t("settings.download")}
        </Button>
        {state.kind === "running" ? (
          <Button tone="quiet" onClick={() => stop.current?.abort()}>
            {t("common.cancel")}
          </Button>
        ) : null}
      </div>
      <p role="status" className="text-sm text-soft empty:hidden">
        {state.kind === "done"
          ? t("settings.downloadDone", {
              n: state.progress.files,
              size: fileSize(words, state.progress.bytes),
            })
          : state.kind === "stopped"
            ? t("settings.downloadStopped")
            : null}
      </p>
      {state.kind === "failed" ? (
        <ErrorNote title={t("settings.downloadFailed")}>{state.sentence}</ErrorNote>
      ) : null}
    </div>
  );
}
