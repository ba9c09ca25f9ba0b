import type { Words } from "@/lib/i18n/words";
import type { PublicConfig } from "../config";
import type { Run, RunPatch } from "./types";

export interface EngineParts {
  readonly words: Words;
  readonly config: PublicConfig;
  /** The run as it stands now. */
  readonly read: () => Run;
  /** Changes the run; kept for a reload before it is shown. */
  readonly patch: (patch: RunPatch) => void;
  readonly signal: AbortSignal;
}
