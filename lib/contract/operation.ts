import type { z } from "zod";
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

/** Refusals of writing in a topic that depend on operators. */
const stopped = ["silenced", "topic_frozen"] as const;
const topicMember = ["topic_not_found", "not_a_member", "reprove_required"] as const;
const postMember = ["post_not_found", "not_a_member", "reprove_required"] as const;
const commentMember = ["comment_not_found", "not_a_member", "reprove_required"] as const;
const messageMember = ["message_not_found", "not_a_member", "reprove_required"] as const;

/** Access rules, which lib/policy implements, each with the errors by which it refuses. */
const accessErrors = {
  anyone: [],
  "signed-in": [],
  /** Operators and reviewers of the installation. */
  desk: ["operator_required"],
  operator: ["operator_required"],
  /** Anyone who may see the topic. */
  "topic-visible": ["topic_not_found", "topic_secret"],
  /** Anyone who may read its posts. */
  "topic-content": topicMember,
  /** Members who are not muted. */
  "topic-member": [...topicMember, "muted", ...stopped],
  /** Members, including muted ones. */
  "topic-insider": topicMember,
  /** Members, including muted ones and those who have to prove again. */
  "topic-leaver": ["topic_not_found", "not_a_member"],
  /** Members, including muted ones; for everyone else the topic does not exist (spec, GET chat). */
  "topic-chat": ["topic_not_found", "reprove_required"],
  /** Non-members, where the topic can be entered without an invite, and members who are to prove again. */
  "topic-outsider": ["topic_not_found", "already_member", "topic_secret", "topic_frozen"],
  /** Non-members with an invite. */
  "topic-invited": ["invite_not_found", "already_member", "topic_frozen"],
  /** Owner and admins of the topic. */
  "topic-staff": [...topicMember, "role_required"],
  "topic-owner": [...topicMember, "role_required"],
  "topic-owner-or-global-admin": [...topicMember, "role_required"],
  "post-content": postMember,
  /** Members of the post's topic who are not muted. */
  "post-member": [...postMember, "muted", ...stopped, "post_hidden"],
  /** Members of the post's topic, including muted ones. */
  "post-insider": postMember,
  /** Members of the post's topic who are not muted and are not its author. */
  "post-recorder": [...postMember, "muted", ...stopped, "post_hidden", "record_own_post"],
  "post-staff": [...postMember, "role_required"],
  /** The topic's staff, or an operator. */
  "post-moderator": [...postMember, "role_required"],
  /** The author while an unmuted member, or an operator. */
  "post-author": [...postMember, "not_the_author", "muted", ...stopped, "post_hidden"],
  /** The author, the topic's staff, or an operator. */
  "post-remover": [...postMember, "role_required"],
  /** Anyone who may read the comment's post. */
  "comment-content": commentMember,
  "comment-moderator": [...commentMember, "role_required"],
  /** Members of the comment's topic who are not muted. */
  "comment-member": [...commentMember, "muted", ...stopped, "post_hidden"],
  "comment-author": [...commentMember, "not_the_author", "muted", ...stopped, "post_hidden"],
  "comment-remover": [...commentMember, "role_required"],
  /** Members of the message's topic who are not muted. */
  "message-member": [...messageMember, "muted"],
  "message-moderator": [...messageMember, "role_required"],
  "message-author": [...messageMember, "not_the_author", "muted"],
  "message-remover": [...messageMember, "role_required"],
} as const satisfies Record<string, readonly ErrorCode[]>;
export type Access = keyof typeof accessErrors;

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
  return { ...spec, errors: [...accessErrors[spec.access], ...(spec.errors ?? [])] };
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
