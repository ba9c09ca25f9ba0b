import { words } from "@/lib/i18n/english";
import { duration } from "@/lib/i18n/time";
import type { DeviceLogin } from "@/lib/proofs/client";
import type { AttestedProgress } from "@/lib/proofs/client/attested";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import { progressLine, queueText } from "./show";

/** Reports the progress of a run, but never an input of the proof, a token or a key. */
export interface Teller {
  /** Prints a sentence, for people only. */
  say(text: string): void;
  progress(event: AttestedProgress, offer: PaymentOffer): void;
  /** Asks the user to sign in. */
  login(login: DeviceLogin): void;
  /** Reports the payment's name before anything is signed, so that an interrupted run can resume. */
  job(name: string): void;
  /** Reports how to resume a payment. */
  resumable(job: string, nonce: string | null): void;
  /** Reports the end without a proof. */
  failed(code: string, message: string): void;
  /** Ends the output. */
  end(): void;
}

/** The parts of a stream that a teller needs. */
export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const BAR_WIDTH = 20;
const REDRAW_MS = 200;
const CLEAR_LINE = "\r\u001b[2K";

/** Returns a teller for people: sentences and, on a terminal, a last line that shows waiting times. */
export function peopleTeller(output: Output, now: () => number = Date.now): Teller {
  /** Returns the last line, redrawn with every tick. */
  let waiting: (() => string) | null = null;
  let timer: NodeJS.Timeout | null = null;
  const draw = () => output.write(`${CLEAR_LINE}${waiting?.() ?? ""}`);
  const stop = () => {
    if (!timer) return;
    clearInterval(timer);
    timer = null;
    waiting = null;
    output.write(CLEAR_LINE);
  };
  const wait = (line: () => string) => {
    waiting = line;
    timer ??= setInterval(draw, REDRAW_MS).unref();
    draw();
  };
  const say = (text: string) => {
    const line = waiting;
    if (line) output.write(CLEAR_LINE);
    output.write(`${text}\n`);
    if (line) draw();
  };
  return {
    say,
    progress(event, offer) {
      const line = output.isTTY ? waitingLine(event, now) : null;
      if (line) return wait(line);
      stop();
      const text = progressLine(event, offer);
      if (text) say(text);
    },
    login({ verificationUri, verificationUriComplete, userCode }) {
      say(`Open ${verificationUriComplete ?? verificationUri}`);
      say(`and confirm the code ${userCode}. Waiting for you to sign in there.`);
    },
    job: (name) => say(`Name of this payment: ${name}. To resume after an interruption, use --job ${name}.`),
    resumable(job, nonce) {
      stop();
      say(`To resume without paying again: --job ${job}${nonce ? ` --nonce=${nonce}` : ""}`);
    },
    failed(_code, message) {
      stop();
      say(message);
    },
    end: stop,
  };
}

/** Returns the moving line of a stage, or null if it has none. */
function waitingLine(event: AttestedProgress, now: () => number): (() => string) | null {
  const since = now();
  const timed = (text: string, before = 0) => `${text} (${duration(words, before + now() - since)})`;
  switch (event.stage) {
    case "queued":
      return () => timed(queueText(event));
    case "settling":
      return () => timed("Settling the payment");
    case "witness":
      return () => timed("Checking the inputs");
    case "proving": {
      const { elapsedMs, expectedMs } = event;
      if (expectedMs === null) return () => timed("Proving", elapsedMs);
      return () => {
        const elapsed = elapsedMs + now() - since;
        return `Proving ${bar(elapsed / expectedMs)} ${duration(words, elapsed)} of about ${duration(words, expectedMs)}`;
      };
    }
    case "checking":
      return () => timed("Checking the proof");
    default:
      return null;
  }
}

/** Draws a bar that is never full: the estimate may be too short. */
function bar(done: number): string {
  const filled = Math.min(BAR_WIDTH - 1, Math.max(0, Math.floor(done * BAR_WIDTH)));
  return `[${"#".repeat(filled)}${"-".repeat(BAR_WIDTH - filled)}]`;
}

/** Returns a teller that writes one JSON object per line, each with its `event`. The result goes to standard output. */
export function jsonTeller(output: Output): Teller {
  const tell = (event: string, fields: object) => output.write(`${JSON.stringify({ event, ...fields })}\n`);
  return {
    say() {},
    progress(event) {
      switch (event.stage) {
        case "done":
          return void tell("done", {});
        case "signing":
          return void tell("signing", { kind: event.request.kind });
        default: {
          const { stage, ...fields } = event;
          tell(stage, fields);
        }
      }
    },
    login({ verificationUri, verificationUriComplete, userCode, expiresAt }) {
      tell("login", { verificationUri, verificationUriComplete, userCode, expiresAt });
    },
    job: (name) => void tell("job", { job: name }),
    resumable: (job, nonce) => void tell("resumable", { job, nonce }),
    failed: (code, message) => void tell("failed", { code, message }),
    end() {},
  };
}
