import { ApiError, createClient } from "@/lib/client";
import type { ClientInput, OperationSpec, ResponseBody, StatusOf } from "@/lib/contract";
import type { Person, World } from "./world";

/** A request of an example and its answer, as they went over the wire. */
export interface Exchange {
  readonly method: string;
  /** With query, as sent. */
  readonly path: string;
  /** Headers worth showing. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, or null. */
  readonly body: string | null;
  readonly status: number;
  readonly contentType: string;
  /** Text of a JSON answer; of bytes only their number. */
  readonly answer: string;
}

/** One example of one operation. */
export interface Example {
  readonly op: OperationSpec;
  readonly run: (world: World) => Promise<Exchange>;
}

interface How<S extends OperationSpec> {
  /** Who asks; a guest when nobody is named. */
  readonly as?: Person;
  /** What has to be there first and is not worth an example. */
  readonly before?: (world: World) => Promise<unknown>;
  readonly input?: (world: World) => ClientInput<S>;
  /** Further request headers. */
  readonly headers?: (world: World) => Record<string, string>;
  /** The success that is shown, where the operation has several. */
  readonly status?: StatusOf<S>;
  /** Takes out of the answer what later examples need. */
  readonly keep?: (world: World, body: ResponseBody<S>, headers: Headers) => void;
}

const baseUrl = "http://localhost:3000";

/**
 * An example, typed by the declaration: what is sent fits it, and the answer is checked against it. In two calls, so that
 * the operation is known before its input is read.
 *
 * @example example(contract.posts.vote)({ as: "bob", input: () => ({ postId, value: 1 }) })
 */
export function example<const S extends OperationSpec>(op: S): (how?: How<S>) => Example {
  return (how = {}) => ({
    op,
    async run(world) {
      await how.before?.(world);
      const further = how.headers?.(world) ?? {};
      const seen: { request: Request; body: string; response: Response }[] = [];
      const client = createClient({
        baseUrl,
        token: () => tokenOf(world, how.as),
        async fetch(input, init) {
          const request = new Request(input, init);
          for (const [name, value] of Object.entries(further)) request.headers.set(name, value);
          const body = await request.clone().text();
          const answered = await world.h.fetch(request);
          const response = op.events ? await opening(answered) : answered;
          seen.push({ request, body, response: response.clone() });
          return response;
        },
      });
      // An operation without input takes an empty one.
      const input = how.input?.(world) ?? ({} as ClientInput<S>);
      try {
        const { status, body } = await client.callWithStatus(op, input);
        const expected = how.status ?? declared(op)[0];
        if (status !== expected) throw new Error(`${op.id} answered ${status} instead of ${expected}`);
        how.keep?.(world, body, seen[0]?.response.headers ?? new Headers());
      } catch (error) {
        // The typed client knows JSON only; bytes and events are looked at here.
        const other = op.binary !== undefined || op.events !== undefined;
        const isBytes = other && error instanceof ApiError && error.status === 200;
        if (!isBytes) throw new Error(`the example of ${op.id} failed`, { cause: error });
      }
      // What an answer sets off, view counts for one, is done before the next example looks.
      await world.h.idle();
      const [exchange] = seen;
      if (!exchange) throw new Error(`${op.id} sent nothing`);
      return await shown(op, exchange, further);
    },
  });
}

function tokenOf(world: World, person: Person | undefined): string | undefined {
  if (person === undefined) return undefined;
  const token = world.tokens.get(person);
  if (token === undefined) throw new Error(`${person} is not signed in`);
  return token;
}

function declared(op: OperationSpec): number[] {
  return Object.keys(op.responses).map(Number);
}

async function shown(
  op: OperationSpec,
  { request, body, response }: { request: Request; body: string; response: Response },
  further: Readonly<Record<string, string>>,
): Promise<Exchange> {
  const url = new URL(request.url);
  const token = request.headers.get("authorization");
  const contentType = response.headers.get("content-type") ?? "";
  return {
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: {
      ...(token !== null && { authorization: token }),
      ...(op.body && { "content-type": "application/json" }),
      ...further,
    },
    body: body === "" ? null : body,
    status: response.status,
    contentType,
    answer: await answerOf(op, response),
  };
}

async function answerOf(op: OperationSpec, response: Response): Promise<string> {
  if (op.events) return await response.text();
  if (op.binary) return `(${(await response.arrayBuffer()).byteLength} bytes)`;
  return JSON.stringify(await response.json());
}

/** The first event of a stream, which is left then. */
async function opening(response: Response): Promise<Response> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!/^event: .*\n\n/ms.test(text)) {
    const part = await reader?.read();
    if (!part || part.done) throw new Error("the stream ended before its first event");
    text += part.value;
  }
  await reader?.cancel();
  return new Response(text, response);
}
