import type { z } from "zod";
import type { Context, MemberContext } from "@/lib/context";
import {
  type BinaryAnswer,
  type EventStream,
  type HandlerInput,
  type HandlerResult,
  type OperationSpec,
  type SuccessStatus,
  takesIdempotencyKey,
} from "@/lib/contract";
import { isRefusal, Refusal } from "@/lib/errors";
import { log } from "@/lib/log";
import { type Services } from "@/lib/runtime/assemble";
import { getServices } from "@/lib/runtime/services";
import { callerFrom, credentialsOf } from "@/lib/session/caller";
import type { SessionEffects } from "@/lib/session/context";
import { binaryReply } from "./binary";
import { isCleanText, readBody } from "./body";
import { makeContext } from "./context";
import { eventsReply } from "./events";
import { type Outcome, onceOnly } from "./idempotency";
import { type BodyPlace, bodyPlace } from "./large-bodies";
import { countRequest } from "./rate-limit";
import { errorReply, jsonReply, nothingHere, requestIdOf } from "./reply";
import { assertSameSite } from "./same-site";
import { noteRefusal, noteSuccess } from "./security-events";
import { sessionEffects } from "./session-effects";
import { validate, validateParams } from "./validate";

/** What a handler gets: a caller for certain where the operation requires one; always the session's effects. */
type HandlerContext<S extends OperationSpec> = (S["auth"] extends "required" ? MemberContext : Context) & {
  readonly session: SessionEffects;
  readonly connection: Connection;
};

/** The request as an event stream needs it. */
interface Connection {
  /** Id of the last event the client has, where it comes back. */
  readonly lastEventId: string | null;
}

type IsUnion<T, Whole = T> = T extends unknown ? ([Whole] extends [T] ? false : true) : never;

/** The body alone where the operation has one success status, else `{status, body}`. */
type HandlerOutput<S extends OperationSpec> = S extends { readonly binary: string }
  ? BinaryAnswer
  : S extends { readonly events: object }
    ? EventStream
    : JsonOutput<S>;

type JsonOutput<S extends OperationSpec> =
  IsUnion<keyof S["responses"]> extends true ? HandlerResult<S> : HandlerResult<S>["body"];

export type Handler<S extends OperationSpec> = (
  ctx: HandlerContext<S>,
  input: HandlerInput<S>,
) => Promise<HandlerOutput<S>> | HandlerOutput<S>;

/** Second argument Next gives a route handler. */
export interface RouteArguments {
  readonly params: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}
export interface EndpointOptions {
  /** False where an installation does not have the operation: then it is 404, whatever was sent. */
  readonly exists?: (services: Services) => boolean;
  /** Seconds anybody may keep the answer; only for answers that are the same for every caller. */
  readonly publicSeconds?: number;
}

export type RouteHandler = (request: Request, route: RouteArguments) => Promise<Response>;

/** An operation that answers an event stream, with the route that Next gives it to where no entry server takes it. */
export interface EventRoute {
  readonly op: OperationSpec;
  readonly handle: RouteHandler;
}

/**
 * Binds one declared operation to one function. In this order: request id, caller, rate limit, same site, path, query
 * and body, nickname, handler, answer checked against the declaration. Everything thrown becomes the error body.
 *
 * @example export const POST = endpoint(contract.posts.vote, castVote);
 */
export function endpoint<const S extends OperationSpec>(
  op: S,
  handler: Handler<S>,
  options: EndpointOptions = {},
): RouteHandler {
  return async (request, route) => {
    const requestId = requestIdOf(request.headers);
    const answer = new Headers();
    const place = bodyPlace();
    try {
      const services = await getServices();
      if (options.exists && !options.exists(services)) throw nothingHere();
      const call = { request, requestId, route, services, answer, place };
      const outcome = await run(op, handler, call).catch(async (error: unknown) => {
        await noteRefusal({ op, ...call }, error);
        throw error;
      });
      if (op.binary) return binaryReply(outcome.body, requestId, answer);
      if (op.events) return eventsReply(outcome.body, requestId, answer);
      const schema = op.responses[outcome.status];
      if (options.publicSeconds !== undefined) {
        answer.set("cache-control", `public, max-age=${options.publicSeconds}`);
      }
      // Parsing also strips what the declaration does not name: a column too many never leaves the house.
      return jsonReply(outcome.status, schema?.parse(outcome.body), requestId, answer);
    } catch (error) {
      answer.delete("cache-control");
      return errorReply(error, requestId, op.id, answer);
    } finally {
      place.release();
    }
  };
}

/** One request on its way. */
interface Call {
  readonly request: Request;
  readonly requestId: string;
  readonly route: RouteArguments;
  readonly services: Services;
  /** Headers of the answer. */
  readonly answer: Headers;
  readonly place: BodyPlace;
}

async function run<const S extends OperationSpec>(op: S, handler: Handler<S>, call: Call): Promise<Outcome> {
  const { request, route, services, answer, place } = call;
  const caller = await limitedCaller(op, request, services, answer);
  assertSameSite(request, services.deployment.services.appUrl);
  if (caller) place.owner = caller.userId;
  const input = {
    ...(op.params && Object(validateParams(op.params, await route.params))),
    ...(op.query && Object(validate(op.query, queryOf(request)))),
    ...(op.body && (await readInput(op, op.body, request, place))),
  };
  if (op.nickname && caller && !caller.nicknameSet) {
    throw new Refusal("nickname_required");
  }
  const session = sessionEffects(services, request.headers, answer);
  const connection: Connection = { lastEventId: request.headers.get("last-event-id") };
  const ctx = { ...makeContext(services, caller), session, connection };
  // The declaration is the type: `caller` is present where auth is "required" (limitedCaller), and `input` is what
  // the operation's own schemas returned. TypeScript cannot follow either through a generic S.
  const work = async () => {
    const outcome = outcomeOf(
      op,
      await handler(ctx as unknown as HandlerContext<S>, input as HandlerInput<S>),
    );
    await noteSuccess({ op, ...call }, caller, outcome.body);
    return outcome;
  };
  const key = request.headers.get("idempotency-key");
  if (key === null || !caller || !takesIdempotencyKey(op)) return await work();
  const { outcome, replayed } = await onceOnly({ op, caller, key, input, services }, work);
  if (replayed) answer.set("idempotent-replayed", "true");
  return outcome;
}

/** The body, checked by the schema of the form it came in. */
async function readInput(
  op: OperationSpec,
  json: z.ZodType,
  request: Request,
  place: BodyPlace,
): Promise<object> {
  const { form, value } = await readBody(request, op, place);
  return Object(validate(form && op.multipart ? op.multipart : json, value));
}

/** Caller and rate limit. Refused credentials count too, against the address: guessing is limited. */
async function limitedCaller(op: OperationSpec, request: Request, services: Services, answer: Headers) {
  const count = async (userId: string | null): Promise<void> => {
    if (!services.config.rateLimits) return;
    const headers = await countRequest(services, op, request.headers, userId);
    for (const [name, value] of Object.entries(headers)) answer.set(name, value);
  };
  if (op.auth === "none") {
    await count(null);
    return null;
  }
  try {
    const caller = await callerFrom(request.headers, services);
    await count(caller?.userId ?? null);
    if (!caller && op.auth === "required") {
      throw new Refusal("not_authenticated");
    }
    return caller;
  } catch (error) {
    const refusedSession = isRefusal(error) && error.code === "not_authenticated";
    const { from } = credentialsOf(request.headers);
    if (refusedSession && from !== "nowhere") await count(null);
    // A browser cannot remove an httpOnly cookie by itself, and would stay locked out of guest pages too.
    if (refusedSession && from === "cookie") {
      sessionEffects(services, request.headers, answer).clear();
    }
    throw error;
  }
}

/** Query parameters; of repeated ones the last counts. */
function queryOf(request: Request): Record<string, string> {
  const query = Object.fromEntries(new URL(request.url).searchParams);
  for (const [field, value] of Object.entries(query)) {
    if (!isCleanText(value)) {
      throw new Refusal("invalid_request", {
        field,
        message: `${field} must not contain NUL or invalid characters.`,
      });
    }
  }
  return query;
}

/** Status and body of what a handler returned (see HandlerOutput). */
function outcomeOf(op: OperationSpec, output: unknown): Outcome {
  if (op.binary || op.events) return { status: 200, body: output };
  const statuses = successStatuses(op);
  const [only, ...more] = statuses;
  if (only !== undefined && more.length === 0) return { status: only, body: output };
  if (typeof output === "object" && output !== null && "status" in output && "body" in output) {
    const status = statuses.find((declared) => declared === output.status);
    if (status !== undefined) return { status, body: output.body };
  }
  log.error({ operation: op.id }, "the handler returned no declared status");
  throw new Error(`${op.id} has several success statuses and its handler returned none of them`);
}

/** The success statuses an operation declares. */
function successStatuses(op: OperationSpec): SuccessStatus[] {
  return ([200, 201, 202] as const).filter((status) => op.responses[status] !== undefined);
}
