import { describe, expect, it } from "vitest";
import { circuit } from "../testing/prover-client";
import { price, type Stack } from "../testing/stack";

/** What people and operators look at: pages and metrics. */
export function shown(stack: () => Stack): void {
  const get = async (path: string, init?: RequestInit) =>
    await fetch(`${stack().prover.client.url}${path}`, init);

  describe("pages for people", () => {
    const page = async (path: string) => {
      const response = await get(path, { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } });
      return { response, text: await response.text() };
    };

    it("the first page says what is for sale, and loads nothing but its own files", async () => {
      const { response, text } = await page("/");
      expect(response.status).toBe(200);
      expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
      for (const word of ["Email domain", "0.10 USDC", "x402", "A development installation"]) {
        expect(text).toContain(word);
      }
      // What the policy forbids is not tried either.
      expect(text).not.toMatch(/<style|style=|<script(?![^>]* src=)|\son\w+=/);
      const files = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((match) => match[1] ?? "");
      expect(files.length).toBeGreaterThan(1);
      const css = await (await get("/assets/page.css")).text();
      const fonts = [...css.matchAll(/url\("([^"]+)"\)/g)].map((match) => match[1] ?? "");
      for (const file of [...files, ...fonts, "/assets/job.js"])
        expect([file, (await get(file)).status]).toEqual([file, 200]);
    });

    it("a job has one for browsers at the address where programs read JSON", async () => {
      const { client } = await stack().start({}, stack().replaying());
      const { header } = await stack().pay(client);
      const { result } = await client.buy(stack().inputs, header);
      const at = `${client.url}/api/v1/jobs/${result?.jobToken}`;
      const shown = await fetch(at, { headers: { accept: "text/html" } });
      const text = await shown.text();
      const kept = [shown.headers.get("referrer-policy"), shown.headers.get("cache-control")];
      expect([shown.status, ...kept]).toEqual([200, "no-referrer", "no-store"]);
      expect(text).toContain("Proven: Email domain");
      expect(text).toContain("0.10 USDC on test 8453");
      expect(text).toContain(result?.verification.verifierAddress);
      const asked = await fetch(`${at}?format=json`, { headers: { accept: "text/html" } });
      for (const asJson of [await fetch(at), asked]) {
        expect(await asJson.json()).toMatchObject({ status: "done", result });
      }
      const unknown = await page("/api/v1/jobs/nothing");
      expect([unknown.response.status, unknown.text.includes("No such job")]).toEqual([404, true]);
    });
  });

  describe("metrics", () => {
    it("are served on an address of their own, and count what happened", async () => {
      const backend = stack().replaying();
      const metrics = { port: 0, host: "127.0.0.1" };
      const { client, server } = await stack().start({ metrics }, backend);
      const bought = async () => {
        const { header } = await stack().pay(client);
        return { header, status: (await client.buy(stack().inputs, header)).status };
      };
      expect((await bought()).status).toBe(200);
      backend.broken = true;
      const { header } = await bought();
      for (let i = 0; i < 2; i += 1) await client.buy(stack().inputs, header);
      await client.post({ circuit: "nothing" });

      const response = await fetch(server.metricsUrl ?? "");
      expect(response.headers.get("content-type")).toContain("text/plain; version=0.0.4");
      const lines = (await response.text()).split("\n");
      const asset = stack().main.token.toLowerCase();
      const value = (name: string) =>
        Number(lines.find((line) => line.toLowerCase().startsWith(`${name} `))?.split(" ")[1]);
      expect(value('prover_settlements_total{settlement="facilitator",network="eip155:8453"}')).toBe(2);
      expect(value(`prover_jobs_total{circuit="${circuit}",end="done"}`)).toBe(1);
      expect(value(`prover_jobs_total{circuit="${circuit}",end="failed"}`)).toBe(3);
      expect(value('prover_refusals_total{code="invalid_circuit",reason=""}')).toBe(1);
      expect(value(`prover_credits_owed{network="eip155:8453",asset="${asset}"}`)).toBe(1);
      expect(value(`prover_credits_owed_atomic{network="eip155:8453",asset="${asset}"}`)).toBe(Number(price));
      expect(value(`prover_stage_seconds_count{circuit="${circuit}",stage="proving"}`)).toBe(1);
      expect([value("prover_queue_jobs"), value("prover_queue_limit")]).toEqual([0, 20]);
      expect(value("prover_proofs_parallel")).toBe(backend.parallel);
      expect(value("prover_bb_restarts")).toBe(backend.restarts());
      expect(value("process_cpu_user_seconds_total")).toBeGreaterThan(0);
      // Nothing for the public.
      expect((await fetch(`${client.url}/metrics`)).status).toBe(404);
      expect((await fetch(new URL("/health", server.metricsUrl))).status).toBe(404);
    });
  });
}
