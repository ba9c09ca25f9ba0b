import type { Client } from "@/components/call-api";
import { refusalOf } from "@/lib/client";
import { exportBegins } from "@/lib/client/export-progress";

/** How far a download is. */
export interface Progress {
  readonly bytes: number;
  /** Files that have begun. */
  readonly files: number;
  /** Files that it will have, give or take what is written meanwhile. */
  readonly total: number;
}

export interface Download {
  readonly progress: Progress;
}

interface Options {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/** Time for the browser to take the file before its address goes. */
const TAKEN_MS = 60_000;

/**
 * Downloads everything that is the member's and gives it to the browser to save.
 * @throws ApiError of a refusal; what fetch throws when the network fails or the server breaks off
 */
export async function downloadExport(
  { contract }: Pick<Client, "contract">,
  { signal, onProgress }: Options,
): Promise<Download> {
  const response = await fetch(contract.profile.export.path, { signal });
  if (!response.ok || !response.body) {
    throw refusalOf(response.status, await response.json().catch(() => null));
  }
  const begins = exportBegins();
  let progress: Progress = { bytes: 0, files: 0, total: Number(response.headers.get("x-export-files")) };
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(part, controller) {
        progress = { ...progress, bytes: progress.bytes + part.length, files: begins(part) };
        onProgress(progress);
        controller.enqueue(part);
      },
    }),
  );
  // A browser keeps a large blob on its disk.
  const blob = await new Response(counted, { headers: { "content-type": "application/zip" } }).blob();
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = nameIn(response.headers.get("content-disposition"));
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), TAKEN_MS);
  return { progress };
}

function nameIn(disposition: string | null): string {
  return disposition?.match(/filename="([\w.-]+)"/)?.[1] ?? "parley.zip";
}
