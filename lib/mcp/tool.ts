import type { z } from "zod";
import { ApiError, type createClient } from "@/lib/client";
import { errors } from "@/lib/contract/errors";

/** What tools act on: the API as one caller. */
export interface Surroundings {
  readonly api: ReturnType<typeof createClient>;
  /** Public address of the app, without trailing slash. */
  readonly appUrl: string;
  /** Receives errors that are nobody's to read but the operator's. */
  readonly failed: (error: unknown) => void;
}

/** A page that only the person can complete, in their own browser. */
interface Approval {
  readonly message: string;
  readonly url: string;
}

/** What a tool can ask of the person it acts for. */
export interface Person {
  /** What they said to the page, if they were asked before this run. */
  readonly said: "accept" | "decline" | "cancel" | null;
  /** Whether pages are opened for them. */
  readonly canBeAsked: boolean;
}

interface Spec<I extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: I;
  /** What it does to the world, for clients that ask before they act. */
  readonly does: "read" | "add" | "change" | "remove";
  readonly run: (
    at: Surroundings,
    input: z.output<I>,
    person: Person,
  ) => Promise<object | { readonly ask: Approval }>;
}

/** What running a tool comes to. */
type Outcome =
  | { readonly result: object }
  | { readonly ask: Approval }
  | { readonly refusal: { readonly code: string; readonly message: string } };

export interface Tool extends Omit<Spec<z.ZodObject>, "run"> {
  /** Runs it on what a caller gave. Its refusals are results that a model or a person can act on. */
  readonly run: (at: Surroundings, given: unknown, person: Person) => Promise<Outcome>;
}

/** Declares a task that models and command lines do with a few operations of the API. */
export function tool<const I extends z.ZodObject>({ run, ...facts }: Spec<I>): Tool {
  return {
    ...facts,
    async run(at, given, person) {
      try {
        const result = await run(at, facts.input.parse(given), person);
        return "ask" in result ? result : { result };
      } catch (error) {
        return { refusal: refusalOf(error, at) };
      }
    },
  };
}

/** A refusal of the API with what says how to go on. What else went wrong is told to the operator alone. */
function refusalOf(error: unknown, { appUrl, failed }: Surroundings) {
  if (!(error instanceof ApiError)) {
    failed(error);
    return { code: "internal", message: errors.internal.message };
  }
  const { proofRequirement, error: message, ...facts } = error.body ?? { error: error.message };
  const hint =
    error.code === "not_authenticated"
      ? `A member makes a token at ${appUrl}/settings/tokens; send it as "Authorization: Bearer …". How a program becomes a member: ${appUrl}/llms.txt`
      : undefined;
  return { message, code: error.code, ...facts, ...(hint && { hint }) };
}
