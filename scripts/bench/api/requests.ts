import type { LoadRequest } from "../load";
import type { MeasureName } from "./bodies";
import { type Input, measures, pathOf } from "./measures";
import type { Seed } from "./seed";

/** Returns the requests of a measure. @param inputs by default those over all topics */
export function requestsOf(name: MeasureName, seed: Seed, inputs?: readonly Input[]): LoadRequest[] {
  const measure = measures[name];
  const { method } = measure;
  const body = measure.body && JSON.stringify(measure.body);
  return (inputs ?? measure.inputs(seed)).map((input) => ({
    method,
    path: pathOf(measure, input),
    headers: input.member,
    body,
  }));
}

/** Returns the header lines of each member. */
export function headersOf({ members }: Seed): string[][] {
  return members.map(({ token }) => [`authorization: Bearer ${token}`]);
}

/** A response of a server. */
export interface Sample {
  readonly status: number;
  readonly text: string;
}

/**
 * Sends one request of a measure.
 * @param index of the request
 * @throws Error when its status is another than the measure's
 */
export async function sample(name: MeasureName, seed: Seed, port: number, index: number): Promise<Sample> {
  const { status, inputs } = measures[name];
  const [request] = requestsOf(name, seed, inputs(seed).slice(index, index + 1));
  if (!request) throw new Error(`${name} has no request ${index}`);
  const { method, path, headers = 0, body } = request;
  const authorization = `Bearer ${seed.members[headers]?.token}`;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    body,
  });
  const text = await response.text();
  if (response.status !== status) throw new Error(`${method} ${path} got status ${response.status}: ${text}`);
  return { status, text };
}
