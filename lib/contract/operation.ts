import type { z } from "zod";
import { type Access, accessRules } from "./access";
import type { ErrorCode } from "./errors";

/** The declaration of a REST operation, from which validation, types, OpenAPI, client and tests derive. */
export interface OperationSpec {
  /** Stable name, `resource.verb`; the operationId of the OpenAPI document. */
  readonly id: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path with `{name}` parameters, starting with /api. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  /**
   * none: ignores the session; optional: a session adds to the response; required: 401 without one; refused: 400 with one,
   * or with any other cookie, so that nobody says by mistake who they are. Nothing of who sends it is stored or logged.
   */
  readonly auth: "none" | "optional" | "required" | "refused";
  /** Whether a user who has not chosen a nickname is refused (403 nickname_required). */
  readonly nickname: boolean;
  /** True where a token for automation is never enough: what makes, shows or replaces ways in. */
  readonly personOnly?: true;
  /** Who may call it beyond `auth`; the authorization matrix is generated from this. */
  readonly access: Access;
  /** False where it changes nothing that guests read, so that their pages stay cached, or says itself what it changes. */
  readonly guestsSee?: false;
  /** True where the answer to a guest depends on path and query alone: guests get it from memory until something changes. */
  readonly sameForGuests?: true;
  /** Requests allowed per caller (user id, else address) in a window of `seconds`. */
  readonly limit: { readonly points: number; readonly seconds: number };
  readonly params?: z.ZodObject;
  /** An object schema, which may check rules across its fields. */
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** An absent or empty body counts as `{}`. */
  readonly bodyOptional?: boolean;
  /** Maximum body size in bytes, where it exceeds the default (lib/http/input.ts). */
  readonly maxBytes?: number;
  /** The fields of a multipart/form-data body, where the operation also takes one; a file is a File. */
  readonly multipart?: z.ZodObject;
  /** The success is bytes of this media range instead of JSON; the handler returns a BinaryAnswer. */
  readonly binary?: string;
  /** The success is a stream of these events, by name; the handler returns an EventStream. */
  readonly events?: { readonly [name: string]: z.ZodType };
  readonly responses: { readonly [status in SuccessStatus]?: z.ZodType };
  /** Every error it can return beyond the general ones (lib/http/openapi.ts); declare none of its access rule's. */
  readonly errors?: readonly ErrorCode[];
  /** Statuses that differ from an error's usual one. */
  readonly errorStatus?: { readonly [code in ErrorCode]?: number };
}

export type SuccessStatus = 200 | 201 | 202;

/** The result of an operation with `binary`. */
export interface BinaryAnswer {
  readonly contentType: string;
  readonly body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The result of an operation with `events`: a stream that the server connects to a client. */
export interface EventStream {
  /** Called once, when the response head has been sent: from then on the stream writes frames to the sink. */
  open(sink: FrameSink): void;
  /** Called once, when the client disconnects or the sink ends. */
  closed(): void;
}

/** Where the frames of one event stream go. */
export interface FrameSink {
  /** Sends a whole frame; many sinks may share its bytes. @returns the number of bytes still buffered */
  send(frame: Uint8Array): number;
  /** Ends the stream after the frames already sent. */
  end(): void;
}

/** Returns whether a call of this operation may carry an Idempotency-Key: every POST that creates something. */
export function takesIdempotencyKey(op: OperationSpec): boolean {
  return (
    op.method === "POST" &&
    op.auth === "required" &&
    (op.responses[201] !== undefined || op.responses[202] !== undefined)
  );
}

/** Declares an operation; returns it with its literal type and the errors of its access rule. */
export function operation<const S extends OperationSpec>(
  spec: S,
): Omit<S, "errors"> & { readonly errors: readonly ErrorCode[] } {
  return { ...spec, errors: [...accessRules[spec.access].errors, ...(spec.errors ?? [])] };
}

type OutputOf<T> = T extends z.ZodType ? z.output<T> : unknown;
type InputOf<T> = T extends z.ZodType ? z.input<T> : unknown;
type Part<S, K extends string> = S extends { readonly [P in K]: infer T } ? T : undefined;

/** The input of a handler: params, query and body merged (names never collide within one operation). */
export type HandlerInput<S extends OperationSpec> = OutputOf<Part<S, "params">> &
  OutputOf<Part<S, "query">> &
  (OutputOf<Part<S, "body">> | FormOf<S>);

/** The fields of a multipart body; never for other operations. */
type FormOf<S> = S extends { readonly multipart: infer T extends z.ZodObject } ? z.output<T> : never;

/** The input of a client call. */
export type ClientInput<S extends OperationSpec> = InputOf<Part<S, "params">> &
  InputOf<Part<S, "query">> &
  InputOf<Part<S, "body">>;

export type StatusOf<S extends OperationSpec> = Extract<keyof S["responses"], SuccessStatus>;

/** The response body for this status, as the client reads it. */
export type ResponseBody<S extends OperationSpec, K extends StatusOf<S> = StatusOf<S>> = OutputOf<
  S["responses"][K]
>;

/** The result of a handler: the body, or `{status, body}` where the operation has several success statuses. */
export type HandlerResult<S extends OperationSpec> = {
  [K in StatusOf<S>]: { readonly status: K; readonly body: InputOf<S["responses"][K]> };
}[StatusOf<S>];
