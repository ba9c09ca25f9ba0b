import { parentPort } from "node:worker_threads";
import { Noir } from "@noir-lang/noir_js";
import { type ExecuteReply, ExecuteRequest } from "./execute-messages";

/**
 * Worker thread: solves witnesses with noir_js. It describes failures by constants of the circuit alone, since noir_js puts
 * input values into its messages.
 */

type Program = ConstructorParameters<typeof Noir>[0];
type Inputs = Parameters<Noir["execute"]>[0];

const circuits = new Map<number, { program: Program; noir: Noir }>();

parentPort?.on("message", async (message: unknown) => {
  const request = ExecuteRequest.parse(message);
  if ("program" in request) {
    // The parent parsed it as a CircuitArtifact; noir_js checks the rest.
    const program: Program = JSON.parse(request.program);
    circuits.set(request.circuit, { program, noir: new Noir(program) });
    return;
  }
  parentPort?.postMessage(await execute(request.id, request.circuit, request.inputs));
});

async function execute(id: number, circuit: number, json: string): Promise<ExecuteReply> {
  const known = circuits.get(circuit);
  if (!known) return { id, ok: false, reason: "internal" };
  const started = performance.now();
  try {
    const inputs: Inputs = JSON.parse(json);
    const { witness } = await known.noir.execute(inputs);
    return { id, ok: true, witness, durationMs: performance.now() - started };
  } catch (error) {
    // A trap leaves the WASM instance in an unknown state: end, so that the next request gets a new thread.
    if (error instanceof WebAssembly.RuntimeError) throw new Error("noir_js trapped");
    return { id, ok: false, ...explain(known.program, error) };
  }
}

function explain(
  program: Program,
  error: unknown,
): Pick<ExecuteReply & { ok: false }, "reason" | "parameter" | "assertion"> {
  const message = error instanceof Error ? error.message : "";
  const path = /^(?:The value passed for parameter|Expected argument) `([\w.[\]]+)`/.exec(message)?.[1];
  const root = path?.split(/[.[]/)[0];
  if (path && program.abi.parameters.some(({ name }) => name === root)) {
    return { reason: "inputs", parameter: path };
  }
  return { reason: "constraint", assertion: constantAssertion(program, error) };
}

/** Returns the text of the failed assertion, unless it is a format string, which quotes values. */
function constantAssertion(program: Program, error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("rawAssertionPayload" in error)) return undefined;
  const payload = error.rawAssertionPayload;
  if (typeof payload !== "object" || payload === null || !("selector" in payload)) return undefined;
  const kind = program.abi.error_types[String(payload.selector)];
  return kind?.error_kind === "string" ? kind.string : undefined;
}
