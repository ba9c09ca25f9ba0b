import { ApiError, createClient } from "@/lib/client";
import type { ClientInput, OperationSpec, ResponseBody, StatusOf } from "@/lib/contract";
import { type Person, stored, type World } from "./world";

/** A request of an example and its response, as sent. */
export type Exchange = Awaited<ReturnType<typeof shown>>;

/** One example of one operation. */
export interface Example {
  readonly op: OperationSpec;
  readonly run: (world: World) => Promise<Exchange>;
}

interface How<S extends OperationSpec> {
  /** The user who sends the request; default a guest. */
  readonly as?: Person;
  readonly before?: (world: World) => Promise<unknown>;
  readonly input?: (world: World) => ClientInput<S>;
  readonly headers?: (world: World) => Record<string, string>;
  /** The success status to show, if the operation has several. */
  readonly status?: StatusOf<S>;
  /** Stores values of the response that later examples need. */
  readonly keep?: (world: World, body: ResponseBody<S>, headers: Headers) => void;
}

const baseUrl = "http://localhost:3000";

/**
 * Creates an example whose request and response are typed and checked by the operation's declaration. In two calls, so
 * that TypeScript infers the operation before its input.
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
        token: () => how.as && stored(world.tokens, how.as),
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
        const expected = how.status ?? Number(Object.keys(op.responses)[0]);
        if (status !== expected) throw new Error(`${op.id} answered ${status} instead of ${expected}`);
        how.keep?.(world, body, seen[0]?.response.headers ?? new Headers());
      } catch (error) {
        // The typed client accepts JSON only, so bytes and events arrive here as an error.
        const other = op.binary !== undefined || op.events !== undefined;
        const isBytes = other && error instanceof ApiError && error.status === 200;
        if (!isBytes) throw new Error(`the example of ${op.id} failed`, { cause: error });
      }
      // Background work, such as view counts, ends before the next example.
      await world.h.idle();
      const [exchange] = seen;
      if (!exchange) throw new Error(`${op.id} sent nothing`);
      return await shown(op, exchange, further);
    },
  });
}

async function shown(
  op: OperationSpec,
  { request, body, response }: { request: Request; body: string; response: Response },
  further: Readonly<Record<string, string>>,
) {
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

/** Returns the text of a JSON response; for an image only its number of bytes, which for a made file is chance. */
async function answerOf(op: OperationSpec, response: Response): Promise<string> {
  if (op.events) return await response.text();
  if (response.headers.has("content-disposition")) {
    await response.body?.cancel();
    return "(a file)";
  }
  if (op.binary) return `(${(await response.arrayBuffer()).byteLength} bytes)`;
  return JSON.stringify(await response.json());
}

/** Returns the first event of a stream and closes it. */
async function opening(response: Response): Promise<Response> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!/^event: .*\n\n/ms.test(text)) {
    const part = await reader?.read();
    if (!part || part.done) throw new Error("the stream ended before its first event");
    text += part.value;
  }
  await reader?.cancel();
  // More may have arrived with it.
  return new Response(/^.*?event: .*?\n\n/s.exec(text)?.[0], response);
}
