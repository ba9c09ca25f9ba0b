import type { z } from "zod";
import type { ErrorCode } from "./errors";

/**
 * One declaration per operation of the REST API. Request and response validation, TypeScript types, the
 * OpenAPI document, the browser client, the agent tools and the authorisation matrix all read it.
 */
export interface OperationSpec {
  /** Stable name, `resource.verb`; the operationId of the OpenAPI document. */
  readonly id: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path with `{name}` parameters, starting with /api. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  /** none: the session is not looked at; optional: richer with one; required: 401 without one. */
  readonly auth: "none" | "optional" | "required";
  /** True when a user who has not chosen a nickname is refused (403 nickname_required). */
  readonly nickname: boolean;
  /** Who may call it beyond `auth`; the authorisation matrix is generated from this. */
  readonly access: Access;
  /** Requests allowed per caller (user id, else address) in a window of `seconds`. */
  readonly limit: { readonly points: number; readonly seconds: number };
  readonly params?: z.ZodObject;
  /** An object, which may carry rules over several of its fields. */
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** An absent or empty body counts as `{}`. */
  readonly bodyOptional?: boolean;
  /** Longest body in bytes, where it is more than the usual (lib/http/body.ts). */
  readonly maxBytes?: number;
  /** The body may also come as multipart/form-data of these fields; a file is a File. */
  readonly multipart?: z.ZodObject;
  /** The success is not JSON but bytes of this media range; the handler returns a BinaryAnswer. */
  readonly binary?: string;
  /** The success is an event stream of these events, by name; the handler returns an EventStream. */
  readonly events?: { readonly [name: string]: z.ZodType };
  readonly responses: { readonly [status in SuccessStatus]?: z.ZodType };
  /** Every error this operation can answer beyond the general ones (see errors.ts). */
  readonly errors: readonly ErrorCode[];
  /** Where an error has another status here than usual. */
  readonly errorStatus?: { readonly [code in ErrorCode]?: number };
}

export type SuccessStatus = 200 | 201 | 202;

/** Access rules in words the policy files implement. */
export type Access =
  | "anyone"
  | "signed-in"
  /** Whoever may see the topic. */
  | "topic-visible"
  /** Whoever may read its posts. */
  | "topic-content"
  /** Members who are not muted. */
  | "topic-member"
  /** Members, muted ones too. */
  | "topic-insider"
  /** Members, muted ones too; to everybody else the topic does not exist (spec, GET chat). */
  | "topic-chat"
  /** Whoever is not a member yet, where the topic is entered without an invite. */
  | "topic-outsider"
  /** Whoever holds an invite and is not a member yet. */
  | "topic-invited"
  /** Owner and admins of the topic. */
  | "topic-staff"
  | "topic-owner"
  | "topic-owner-or-global-admin"
  | "post-content"
  /** Members of the post's topic who are not muted. */
  | "post-member"
  /** Members of the post's topic, muted ones too. */
  | "post-insider"
  /** Members of the post's topic who are not muted and did not write it. */
  | "post-recorder"
  | "post-staff"
  /** The author while a member who is not muted, or a global admin. */
  | "post-author"
  /** The author, the topic's staff, or a global admin. */
  | "post-remover"
  | "comment-insider"
  | "comment-staff"
  | "comment-author"
  | "comment-remover";

/** What an operation with `binary` answers. */
export interface BinaryAnswer {
  readonly contentType: string;
  readonly body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What an operation with `events` answers: a stream that waits for somebody to carry it. */
export interface EventStream {
  /** Called once, when the head of the answer is on its way: frames go to the sink from here on. */
  open(sink: FrameSink): void;
  /** Called once, when the client is gone or the sink was ended. */
  closed(): void;
}

/** Where the frames of one event stream go. */
export interface FrameSink {
  /** Sends a frame, whole. The bytes may be shared by many sinks. @returns how many bytes wait to be taken */
  send(frame: Uint8Array): number;
  /** Ends the stream after what was sent; nothing is sent any more. */
  end(): void;
}

/** Whether a call of this operation may carry an Idempotency-Key: every POST that creates something. */
export function takesIdempotencyKey(op: OperationSpec): boolean {
  return (
    op.method === "POST" &&
    op.auth === "required" &&
    (op.responses[201] !== undefined || op.responses[202] !== undefined)
  );
}

/** Declares an operation; identity with the literal type kept. */
export function operation<const S extends OperationSpec>(spec: S): S {
  return spec;
}

type OutputOf<T> = T extends z.ZodType ? z.output<T> : unknown;
type InputOf<T> = T extends z.ZodType ? z.input<T> : unknown;
type Part<S, K extends string> = S extends { readonly [P in K]: infer T } ? T : undefined;

/** What a handler receives: params, query and body merged (names never collide within one operation). */
export type HandlerInput<S extends OperationSpec> = OutputOf<Part<S, "params">> &
  OutputOf<Part<S, "query">> &
  (OutputOf<Part<S, "body">> | FormOf<S>);

/** The form of a body that may come as one; of other operations nothing. */
type FormOf<S> = S extends { readonly multipart: infer T extends z.ZodObject } ? z.output<T> : never;

/** What a client passes. */
export type ClientInput<S extends OperationSpec> = InputOf<Part<S, "params">> &
  InputOf<Part<S, "query">> &
  InputOf<Part<S, "body">>;

export type StatusOf<S extends OperationSpec> = Extract<keyof S["responses"], SuccessStatus>;

/** The response body with this status, as the client reads it. */
export type ResponseBody<S extends OperationSpec, K extends StatusOf<S> = StatusOf<S>> = OutputOf<
  S["responses"][K]
>;

/** What a handler returns: the body, or `{status, body}` where the operation has several successes. */
export type HandlerResult<S extends OperationSpec> = {
  [K in StatusOf<S>]: { readonly status: K; readonly body: InputOf<S["responses"][K]> };
}[StatusOf<S>];
