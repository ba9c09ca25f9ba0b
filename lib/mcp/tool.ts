import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
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

/** What a tool can ask of the person behind the client. */
interface Person {
  /** What they said to the page, if they were asked before this run. */
  readonly said: "accept" | "decline" | "cancel" | null;
  /** Whether the client opens pages for them (URL elicitation). */
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

export interface Tool {
  readonly name: string;
  readonly register: (server: McpServer, at: Surroundings) => void;
}

/** Makes a tool: its result and its refusals become what a model reads, as JSON. */
export function tool<const I extends z.ZodObject>({
  name,
  title,
  description,
  input,
  does,
  run,
}: Spec<I>): Tool {
  const annotations = {
    readOnlyHint: does === "read",
    destructiveHint: does === "remove",
    idempotentHint: does === "read" || does === "change",
    openWorldHint: false,
  };
  const call = async (at: Surroundings, given: z.output<I>, ctx: ServerContext) => {
    const result = await run(at, given, personOf(ctx));
    return "ask" in result ? asking(result.ask) : { content: [json(result)] };
  };
  return {
    name,
    register(server, at) {
      const config: {
        title: string;
        description: string;
        inputSchema: z.ZodObject;
        annotations: typeof annotations;
      } = {
        ...{ title, description, annotations },
        inputSchema: input,
      };
      server.registerTool(
        name,
        config,
        async (given, ctx): Promise<CallToolResult | InputRequiredResult> =>
          // Parsed again for its type: the library has checked it against the same schema.
          await call(at, input.parse(given), ctx).catch((error: unknown) => refused(error, at)),
      );
    },
  };
}

const KEY = "page";

const asking = ({ message, url }: Approval): InputRequiredResult =>
  inputRequired({ inputRequests: { [KEY]: inputRequired.elicitUrl({ message, url }) } });

function personOf({ mcpReq }: ServerContext): Person {
  const answer = inputResponse(mcpReq.inputResponses, KEY);
  return {
    said: answer.kind === "elicit" ? answer.action : null,
    canBeAsked: opensPages.safeParse(mcpReq.envelope).success,
  };
}

/** The envelope of a client that opens pages for its user. Before revision 2026-07-28 requests did not say so. */
const opensPages = z.looseObject({
  [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({ elicitation: z.looseObject({ url: z.looseObject({}) }) }),
});

const json = (value: object) => ({ type: "text" as const, text: JSON.stringify(value) });

/** A refusal as a result that a model can act on. What else went wrong is told to the operator alone. */
function refused(error: unknown, { appUrl, failed }: Surroundings): CallToolResult {
  if (!(error instanceof ApiError)) {
    failed(error);
    return { isError: true, content: [json({ code: "internal", message: errors.internal.message })] };
  }
  const { proofRequirement, error: message, ...facts } = error.body ?? { error: error.message };
  const hint =
    error.code === "not_authenticated"
      ? `A member makes a token at ${appUrl}/settings/tokens; send it as "Authorization: Bearer …". How a program becomes a member: ${appUrl}/llms.txt`
      : undefined;
  return { isError: true, content: [json({ message, code: error.code, ...facts, ...(hint && { hint }) })] };
}
