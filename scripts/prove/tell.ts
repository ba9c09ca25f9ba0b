import { words } from "@/lib/i18n/english";
import { duration } from "@/lib/i18n/time";
import type { DeviceLogin } from "@/lib/proofs/client";
import type { AttestedProgress } from "@/lib/proofs/client/attested";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import { progressLine, queueText } from "./show";

/** Where a run tells how it goes. None of it is ever an input of the proof, a token or a key. */
export interface Teller {
  /** A sentence for people. */
  say(text: string): void;
  progress(event: AttestedProgress, offer: PaymentOffer): void;
  /** A person has to sign in. */
  login(login: DeviceLogin): void;
  /** The payment's name, told before anything is signed: whoever is interrupted goes on with it. */
  job(name: string): void;
  /** How to go on with what is paid. */
  resumable(job: string, nonce: string | null): void;
  /** It ended without a proof. */
  failed(code: string, message: string): void;
  /** Nothing more comes. */
  end(): void;
}

/** As much of a terminal or file as a teller needs. */
export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const BAR_WIDTH = 20;
const REDRAW_MS = 200;
const CLEAR_LINE = "\r\u001b[2K";

/** Sentences, and on a terminal a last line that moves while something is waited for. */
export function peopleTeller(output: Output, now: () => number = Date.now): Teller {
  /** What is waited for, drawn anew with every tick. */
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
    job: (name) =>
      say(`Name of this payment: ${name}. If this is interrupted, --job ${name} goes on with it.`),
    resumable(job, nonce) {
      stop();
      say(`To go on without paying again: --job ${job}${nonce ? ` --nonce ${nonce}` : ""}`);
    },
    failed(_code, message) {
      stop();
      say(message);
    },
    end: stop,
  };
}

/** The moving line of a stage, or null where it has none. */
function waitingLine(event: AttestedProgress, now: () => number): (() => string) | null {
  const since = now();
  const passed = () => now() - since;
  switch (event.stage) {
    case "queued":
      return () => `${queueText(event)} (${duration(words, passed())})`;
    case "settling":
      return () => `Settling the payment (${duration(words, passed())})`;
    case "witness":
      return () => `Checking the inputs (${duration(words, passed())})`;
    case "proving":
      return () => {
        const elapsed = event.elapsedMs + passed();
        return event.expectedMs === null
          ? `Proving (${duration(words, elapsed)})`
          : `Proving ${bar(elapsed / event.expectedMs)} ${duration(words, elapsed)} of about ${duration(words, event.expectedMs)}`;
      };
    case "checking":
      return () => `Checking the proof (${duration(words, passed())})`;
    default:
      return null;
  }
}

/** Never full: an estimate that ran out is not the end. */
function bar(done: number): string {
  const filled = Math.min(BAR_WIDTH - 1, Math.max(0, Math.floor(done * BAR_WIDTH)));
  return `[${"#".repeat(filled)}${"-".repeat(BAR_WIDTH - filled)}]`;
}

/** One JSON object a line, each with its `event`. The result is not among them: it is the standard output. */
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
