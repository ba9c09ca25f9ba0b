import { AsyncLocalStorage } from "node:async_hooks";
import type { Context, Span, SpanContext } from "@opentelemetry/api";
import { tracesEndpoint } from "./settings/general";

/** What a span says. Names, ids of operations, circuits and chains, and numbers: never inputs, addresses, tokens or URLs. */
type Attributes = Readonly<Record<string, string | number>>;

/** The traces of a program. One trace is what happens because of one click. */
export interface Tracing {
  /**
   * Runs the work of a request as a span, the child of the caller's.
   * @param traceparent as the request has it (W3C Trace Context); without one, or with a wrong one, a trace begins
   * @param statusOf returns the status of the answer; one of 500 and above is an error
   */
  serve<T>(
    name: string,
    traceparent: string | null | undefined,
    work: () => Promise<T>,
    statusOf: (answer: T) => number,
  ): Promise<T>;
  /** Runs a request to another program as a span of the current trace; outside of a trace only runs it. */
  call<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /** Adds a step that ended now to the current trace. */
  step(name: string, attributes: Attributes, milliseconds: number): void;
  /** Returns the header that continues the current trace in another program of this installation. */
  traceparent(): string | undefined;
  /** Sends what is left. */
  close(): Promise<void>;
}

/** Without a collector. */
export const noTracing: Tracing = {
  serve: (_name, _traceparent, work) => work(),
  call: (_name, _attributes, work) => work(),
  step: () => undefined,
  traceparent: () => undefined,
  close: async () => undefined,
};

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/**
 * Starts to send traces to the collector that OTEL_EXPORTER_OTLP_ENDPOINT names, by OTLP over HTTP with JSON; the SDK
 * reads its other variables itself. Without that variable it is not even loaded. Nothing is registered globally: Next and
 * other packages would add spans with URLs.
 * @param service name of the program, unless OTEL_SERVICE_NAME has another
 */
export async function startTracing(service: string, endpoint = tracesEndpoint()): Promise<Tracing> {
  if (endpoint === undefined) return noTracing;
  const [{ SpanKind, SpanStatusCode, ROOT_CONTEXT, trace }, sdk, { OTLPTraceExporter }, resources] =
    await Promise.all([
      import("@opentelemetry/api"),
      import("@opentelemetry/sdk-trace-base"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/resources"),
    ]);
  const url = `${endpoint.replace(/\/$/, "")}/v1/traces`;
  const { detectResources, envDetector, resourceFromAttributes } = resources;
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({ "service.name": service }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    spanProcessors: [new sdk.BatchSpanProcessor(new OTLPTraceExporter({ url }))],
  });
  const tracer = provider.getTracer("parley");
  const current = new AsyncLocalStorage<Span>();

  const within = (span: Span): Context => trace.setSpan(ROOT_CONTEXT, span);
  const parentOf = (header: string | null | undefined): Context => {
    const context = spanContextOf(header);
    return context ? trace.setSpanContext(ROOT_CONTEXT, context) : ROOT_CONTEXT;
  };
  async function run<T>(span: Span, work: () => Promise<T>, ended: (answer: T) => void): Promise<T> {
    try {
      const answer = await current.run(span, work);
      ended(answer);
      return answer;
    } catch (error) {
      // Not the message, which may quote what was sent.
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }

  return {
    async serve(name, traceparent, work, statusOf) {
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER }, parentOf(traceparent));
      return await run(span, work, (answer) => {
        const status = statusOf(answer);
        span.setAttribute("http.response.status_code", status);
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      });
    },
    async call(name, attributes, work) {
      const parent = current.getStore();
      if (!parent) return await work();
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, within(parent));
      return await run(span, work, () => undefined);
    },
    step(name, attributes, milliseconds) {
      const parent = current.getStore();
      if (!parent) return;
      const endTime = Date.now();
      const startTime = endTime - milliseconds;
      tracer.startSpan(name, { attributes, startTime }, within(parent)).end(endTime);
    },
    traceparent() {
      const context = current.getStore()?.spanContext();
      if (!context) return undefined;
      const flags = context.traceFlags.toString(16).padStart(2, "0");
      return `00-${context.traceId}-${context.spanId}-${flags}`;
    },
    close: () => provider.shutdown(),
  };
}

/** Reads a `traceparent` header; undefined for what is none (ids of zeros are invalid). */
function spanContextOf(header: string | null | undefined): SpanContext | undefined {
  const [, traceId = "", spanId = "", flags = ""] = TRACEPARENT.exec(header ?? "") ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

/** Returns what makes requests to a chain's nodes spans (lib/proofs/rpc.ts). */
export function traceRpc(tracing: Tracing, chainId: number) {
  return <T>(method: string, request: () => Promise<T>): Promise<T> =>
    tracing.call(`rpc ${method}`, { "rpc.method": method, "parley.chain_id": chainId }, request);
}
