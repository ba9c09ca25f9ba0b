import { contract } from "@/lib/contract";
import type { Exchange } from "./example";
import { createNormaliser } from "./normalise";

/** The bodies of an example, for the OpenAPI document. */
interface Sample {
  readonly status: number;
  readonly request?: unknown;
  readonly response?: unknown;
}

/** Longer texts are cut, and of lists and tables the first entry is shown: the document stays short. */
const textLength = 140;
const tableFields = 40;
const shortList = 12;
/** A word of 32 bytes: hex that is cut, or differs in every run, is filled up to one. */
const wordLength = 66;

/** Returns the text of lib/http/samples.json. */
export const samplesJson = (exchanges: ReadonlyMap<string, Exchange>) =>
  `${JSON.stringify(samplesOf(exchanges), null, 2)}\n`;

/**
 * Returns the JSON bodies of examples, by operation. They keep to the schemas: what is cut is left out, not marked.
 * @param exchanges by operation ID, in the order of execution
 */
function samplesOf(exchanges: ReadonlyMap<string, Exchange>): Record<string, Sample> {
  const normalise = createNormaliser();
  const sampleOf = (json: string): unknown => {
    const shown = normalise(JSON.stringify(cut(JSON.parse(json)), null, 2));
    return JSON.parse(shown.replace(/(0x[0-9a-f]+)…/gi, (_, hex: string) => hex.padEnd(wordLength, "0")));
  };
  return Object.fromEntries(
    [...exchanges].map(([id, { status, body, contentType, answer }]) => [
      id,
      {
        status,
        // A proof of a circuit has its own length, which would be most of the document.
        ...(body !== null && !/"0x[0-9a-f]{10000}/.test(body) && { request: sampleOf(body) }),
        // A document that contained itself would change with each run.
        ...(contentType.startsWith("application/json") &&
          id !== contract.service.openapi.id && { response: sampleOf(answer) }),
      },
    ]),
  );
}

const isShort = (value: unknown) => typeof value === "string" && value.length < wordLength;

function cut(value: unknown): unknown {
  if (typeof value === "string") return cutText(value);
  // Short words (options, tags) all stay: some lists must have several.
  if (Array.isArray(value)) return value.slice(0, value.every(isShort) ? shortList : 1).map(cut);
  if (typeof value !== "object" || value === null) return value;
  const pairs = Object.entries(value);
  const shown = pairs.length > tableFields ? pairs.slice(0, 1) : pairs;
  return Object.fromEntries(shown.map(([name, child]) => [name, cut(child)]));
}

function cutText(text: string): string {
  if (text.startsWith("eyJ")) return "eyJ…";
  if (/^0x[0-9a-f]{20,}$/i.test(text)) return `${text.slice(0, 10)}…`;
  return text.startsWith("http") ? text : text.slice(0, textLength);
}
