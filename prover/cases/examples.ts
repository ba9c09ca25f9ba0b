import { expect, it } from "vitest";
import { exampleOf } from "../testing/example-of";
import { circuit, ProverClient } from "../testing/prover-client";
import type { Stack } from "../testing/stack";

/** Writes down what a purchase says: the examples of the OpenAPI document (guide/samples.json). */
export function examples(stack: () => Stack): void {
  it("the examples of the OpenAPI document are of a proof that was bought", async () => {
    const { inputs } = stack();
    const { url } = (await stack().start()).client;
    const get = async (path: string) => (await fetch(url + path)).json();
    const said: unknown[] = [];
    const client = new ProverClient(url, circuit, async (...request) => {
      const answer = await fetch(...request);
      said.push(await answer.clone().json());
      return answer;
    });
    const { header } = await stack().pay(client);
    said.length = 0;
    const refused = await client.post({ circuit: "any_claim" });
    const price = await client.post({ circuit });
    const accepted = await client.buy(inputs, header, { Prefer: "respond-async" });
    const { jobToken = "" } = accepted;
    await new ProverClient(url).events(jobToken);
    const bought = await client.buy(inputs, header);
    expect([refused, price, accepted, bought].map(({ status }) => status)).toEqual([400, 402, 202, 200]);
    const [error, challenge, job, result] = said;
    const samples = {
      prove: {
        request: { circuit, inputs },
        responses: { 200: result, 202: job, 400: error, 402: challenge },
      },
      job: {
        responses: { 200: await get(`/api/v1/jobs/${jobToken}`), 404: await get("/api/v1/jobs/unknown") },
      },
      purchases: { responses: { 402: await get("/api/v1/purchases") } },
      promises: { responses: { 200: await get("/api/v1/promises") } },
      guide: { responses: { 404: await get("/api/v1/guide/unknown") } },
      health: { responses: { 200: await get("/health") } },
      live: { responses: { 200: await get("/health/live") } },
      ready: { responses: { 200: await get("/health/ready") } },
    };
    await expect(`${JSON.stringify(exampleOf(samples), null, 2)}\n`).toMatchFileSnapshot(
      "./guide/samples.json",
    );
  });
}
