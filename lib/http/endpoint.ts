import { randomUUID } from "node:crypto";
import type { Changed, Context, MemberContext } from "@/lib/context";
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
import type { Services } from "@/lib/runtime/assemble";
import type { SharedText } from "@/lib/runtime/guest-answers";
import { processState } from "@/lib/runtime/process";
import { noteRequest } from "@/lib/runtime/requests";
import { getServices } from "@/lib/runtime/services";
import { assertInScope, assertInTopics } from "@/lib/session/automation";
import { callerFrom, credentialsOf } from "@/lib/session/caller";
import type { SessionEffects } from "@/lib/session/context";
import { makeContext, sessionEffects } from "./context";
import { type Outcome, onceOnly } from "./idempotency";
import { type HeaderReader, type Incoming, incomingOf, type PathParams } from "./incoming";
import { queryOf, readBody, validate, validateParams } from "./input";
import { type BodyPlace, bodyPlace } from "./large-bodies";
import type { Method } from "./methods";
import { countRequest, countUnknown } from "./rate-limit";
import {
  binaryReply,
  errorReply,
  eventsReply,
  paramsOf,
  type Reply,
  type RouteHandler,
  requestIdOf,
  serializedReply,
  webResponse,
} from "./reply";
import { declaredPart } from "./response-body";
import { assertSameSite } from "./same-site";
import { noteRefusal, noteSuccess } from "./security-events";

/** The context of a handler: with a caller where the operation requires one, and always with session effects. */
type HandlerContext<S extends OperationSpec> = (S["auth"] extends "required" ? MemberContext : Context) & {
  readonly session: SessionEffects;
  readonly connection: Connection;
};

/** What an event stream needs of its request. */
interface Connection {
  /** Id of the last event the client received before it reconnected. */
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

interface EndpointOptions {
  /** Returns false where an installation does not have the operation: then every request is a 404. */
  readonly exists?: (services: Services) => boolean;
  /** Seconds anyone may cache the response; only for responses that are the same for every caller. */
  readonly publicSeconds?: number;
}

/** The route handler of an operation. Next calls it as a function; the entry server calls `reply`. */
export interface Endpoint {
  (...called: Parameters<RouteHandler>): ReturnType<RouteHandler>;
  readonly op: OperationSpec;
  readonly reply: (incoming: Incoming) => Promise<Reply>;
}

/** What a route file exports for each method: an operation, or a refusal of the method. */
export type RouteModule = { readonly [method in Method]?: Endpoint | RouteHandler };

/**
 * Binds a declared operation to a function. Checks in this order: request id, caller, rate limit, same site, scope
 * of a token, path, query and body, nickname; then calls the handler and checks its result against the declaration. Everything thrown
 * becomes the error body.
 *
 * @example export const POST = endpoint(contract.posts.vote, castVote);
 */
export function endpoint<const S extends OperationSpec>(
  op: S,
  handler: Handler<S>,
  options: EndpointOptions = {},
): Endpoint {
  const answerTo = async (incoming: Incoming, requestId: string): Promise<Reply> => {
    const answer = new Headers();
    const place = bodyPlace();
    try {
      const services = await getServices();
      if (options.exists && !options.exists(services)) throw new Refusal("not_found");
      const call = { incoming, requestId, services, answer, place };
      const outcome = await run(op, handler, call).catch(async (error: unknown) => {
        await noteRefusal({ op, ...call }, error);
        throw error;
      });
      if (op.binary) return binaryReply(outcome.body, requestId, answer);
      if (op.events) return eventsReply(outcome.body, requestId, answer);
      if (options.publicSeconds !== undefined) {
        answer.set("cache-control", `public, max-age=${options.publicSeconds}`);
      }
      return serializedReply(outcome.status, outcome.shared ?? jsonOf(op, outcome), requestId, answer);
    } catch (error) {
      answer.delete("cache-control");
      return errorReply(error, requestId, op.id, answer);
    } finally {
      place.release();
    }
  };
  const reply = async (incoming: Incoming): Promise<Reply> => {
    const startedAt = performance.now();
    // One of the client's would lead from its other requests to this one.
    const requestId = op.auth === "refused" ? randomUUID() : requestIdOf(incoming.headers);
    const work = () => answerTo(incoming, requestId);
    const { tracing } = processState();
    const traceparent = op.auth === "refused" ? null : incoming.headers.get("traceparent");
    const made = await (tracing ? tracing.serve(op.id, traceparent, work, ({ status }) => status) : work());
    noteRequest({ requestId, operation: op.id, status: made.status, startedAt });
    return made;
  };
  const route: RouteHandler = async (request, given) =>
    webResponse(await reply(incomingOf(request, await paramsOf(given))));
  return Object.assign(route, { op, reply });
}

/** Serializes the declared part of a result. */
function jsonOf(op: OperationSpec, { status, body }: Outcome): string {
  const schema = op.responses[status];
  return JSON.stringify(schema && declaredPart(schema, body));
}

/** An outcome, or the text that all guests get. */
type Result = Outcome & { readonly shared?: SharedText };

interface Call {
  readonly incoming: Incoming;
  readonly requestId: string;
  readonly services: Services;
  readonly answer: Headers;
  readonly place: BodyPlace;
}

async function run<const S extends OperationSpec>(op: S, handler: Handler<S>, call: Call): Promise<Result> {
  const { incoming, services, answer, place } = call;
  const { headers } = incoming;
  const caller = await limitedCaller(op, headers, services, answer);
  assertSameSite(incoming, services.deployment.services.appUrl);
  if (caller) place.owner = caller.userId;
  if (caller?.automation) assertInScope(op, caller.automation);
  const params = Object(op.params && validateParams(op.params, incoming.params));
  if (caller?.automation) await assertInTopics(services.db, op, caller.automation, params);
  const input = {
    ...params,
    ...(op.query && Object(validate(op.query, queryOf(incoming.url)))),
    ...Object(await readBody(incoming, op, place)),
  };
  if (op.nickname && caller && !caller.nicknameSet) {
    throw new Refusal("nickname_required");
  }
  const session = sessionEffects(services, headers, answer);
  const connection: Connection = { lastEventId: headers.get("last-event-id") };
  const ctx = { ...makeContext(services, caller), session, connection };
  // The declaration is the type: `caller` is present where auth is "required" (limitedCaller), and `input` is what
  // the operation's schemas returned. TypeScript cannot follow either through a generic S.
  const work = async () => {
    const outcome = outcomeOf(op, await handler(ctx as HandlerContext<S>, input as HandlerInput<S>));
    await noteSuccess({ op, ...call }, caller, outcome.body);
    if (op.method !== "GET" && op.guestsSee !== false) services.changed(changeOf(incoming.params));
    return outcome;
  };
  if (op.sameForGuests && !caller) {
    const asked = { key: op.id + JSON.stringify(input), postId: postIdOf(incoming.params) };
    const shared = await services.guestAnswers.read(asked, async () => jsonOf(op, await work()));
    return { status: 200, body: null, shared };
  }
  const key = headers.get("idempotency-key");
  if (key === null || !caller || !takesIdempotencyKey(op)) return await work();
  const { outcome, replayed } = await onceOnly({ op, caller, key, input, services }, work);
  if (replayed) answer.set("idempotent-replayed", "true");
  return outcome;
}

/** What an operation with these path parameters changed. */
function changeOf(params: PathParams): Changed {
  const postId = postIdOf(params);
  return postId === undefined ? "everything" : { postId };
}

function postIdOf({ postId }: PathParams): string | undefined {
  return typeof postId === "string" ? postId : undefined;
}

/** Identifies the caller and counts the request. Refused credentials count against the address, to limit guessing. */
async function limitedCaller(op: OperationSpec, given: HeaderReader, services: Services, answer: Headers) {
  const count = async (userId: string | null): Promise<void> => {
    if (!services.config.rateLimits) return;
    const headers = await (op.auth === "refused"
      ? countUnknown(services, op, given)
      : countRequest(services, op, given, userId));
    for (const [name, value] of Object.entries(headers)) answer.set(name, value);
  };
  if (op.auth === "none" || op.auth === "refused") {
    const named = (["authorization", "cookie"] as const).find((name) => given.get(name) !== null);
    if (named && op.auth === "refused") throw new Refusal("credentials_not_allowed", { field: named });
    await count(null);
    return null;
  }
  try {
    const caller = await callerFrom(given, services);
    await count(caller?.userId ?? null);
    if (!caller && op.auth === "required") {
      throw new Refusal("not_authenticated");
    }
    return caller;
  } catch (error) {
    const refusedSession =
      isRefusal(error) && (error.code === "not_authenticated" || error.code === "suspended");
    const { from } = credentialsOf(given);
    if (refusedSession && from !== "nowhere") await count(null);
    // A browser cannot delete an httpOnly cookie itself, and would stay locked out of guest pages too.
    if (refusedSession && from === "cookie") {
      sessionEffects(services, given, answer).clear();
    }
    throw error;
  }
}

/** Returns the status and body of a handler's result (see HandlerOutput). */
function outcomeOf(op: OperationSpec, output: unknown): Outcome {
  if (op.binary || op.events) return { status: 200, body: output };
  const statuses = successStatuses(op);
  const [only, ...more] = statuses;
  if (only !== undefined && more.length === 0) return { status: only, body: output };
  if (typeof output === "object" && output !== null && "status" in output && "body" in output) {
    const status = statuses.find((declared) => declared === output.status);
    if (status !== undefined) return { status, body: output.body };
  }
  log.error({ operation: op.id }, "handler returned no declared status");
  throw new Error(`${op.id} has several success statuses and its handler returned none of them`);
}

function successStatuses(op: OperationSpec): SuccessStatus[] {
  return ([200, 201, 202] as const).filter((status) => op.responses[status] !== undefined);
}
