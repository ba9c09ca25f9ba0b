import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { newTraceparent } from "@/lib/client/traceparent";
import { contract } from "@/lib/contract";
import { buyProof, memoryStore, payingWallet } from "@/lib/proofs/client/index";
import { startTracing, type Tracing } from "@/lib/tracing";
import { startFacilitator } from "../facilitator/app";
import type { RunningServer } from "../http/listen";
import { createLogger } from "../log";
import { type LocalServer, readBody, startLocalServer } from "../testing/local-server";
import { circuit } from "../testing/prover-client";
import type { Stack } from "../testing/stack";
import { startTracedApp } from "../testing/traced-app";

const attribute = z.object({
  key: z.string(),
  value: z.object({ stringValue: z.string().optional(), intValue: z.coerce.string().optional() }),
});
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(attribute),
});
/** The body of OTLP over HTTP with JSON. */
const exported = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});

/** From a click in the browser over app, prover and facilitator to the chain. */
export function traces(stack: () => Stack): void {
  describe("traces", () => {
    const bodies: string[] = [];
    const tracings: Tracing[] = [];
    let collector: LocalServer;
    let facilitator: RunningServer;
    let app: Awaited<ReturnType<typeof startTracedApp>>;
    const tracing = async (name: string) => {
      const started = await startTracing(name, collector.url);
      tracings.push(started);
      return started;
    };
    beforeAll(async () => {
      collector = await startLocalServer(async (request, response) => {
        bodies.push(await readBody(request));
        response.setHeader("content-type", "application/json");
        response.end("{}");
      });
      app = await startTracedApp(stack().deployment, await tracing("parley-app"));
    });
    afterAll(async () => {
      await Promise.all([app.close(), facilitator.close(), collector.close()]);
    });

    const sent = () =>
      bodies.flatMap((body) =>
        exported.parse(JSON.parse(body)).resourceSpans.flatMap(({ resource, scopeSpans }) => {
          const service = resource.attributes.find(({ key }) => key === "service.name")?.value.stringValue;
          return scopeSpans.flatMap(({ spans }) => spans.map((each) => ({ ...each, service })));
        }),
      );

    it("operations: one trace leads from the click over app, prover and facilitator to the chain, and tells no secret", async () => {
      const { main, deployment, idp, scope } = { ...stack(), scope: stack().deployment.scope };
      const key = generatePrivateKey();
      await main.control.setBalance({ address: privateKeyToAddress(key), value: 10n ** 18n });
      facilitator = await startFacilitator(
        {
          ...{ port: 0, host: "127.0.0.1", key, confirmationMs: 10_000, gasShare: 0.5, logLevel: "silent" },
          deployment,
        },
        createLogger("silent"),
        await tracing("parley-facilitator"),
      );
      const services = { ...deployment.services, facilitatorUrl: facilitator.url };
      const prover = await stack().start({ deployment: { ...deployment, services } }, stack().replaying(), {
        tracing: await tracing("parley-prover"),
      });
      const payer = await stack().payer();

      const click = newTraceparent();
      const [, traceId, clickId] = click.split("-");
      const call = { traceparent: click };
      const { guest } = app;
      const { challengeId, nonce } = await guest.call(contract.auth.challenge, {}, call);
      const jwt = await idp.token("canary.person@example.com", { nonce });
      const { proof, publicInputs } = await buyProof({
        ...{ proverUrl: prover.client.url, circuit, traceparent: click, jobKey: "one", store: memoryStore() },
        inputs: { jwt, scope, provider: "provider_a" },
        wallet: payingWallet(payer.account),
        expectedOffers: deployment.offers,
        accept: (offers) => offers.find(({ network }) => network === "eip155:8453"),
      });
      const result = { circuit, proof, publicInputs };
      const { token, userId } = await guest.call(contract.auth.verify, { challengeId, result }, call);

      await Promise.all(tracings.map((each) => each.close()));
      const spans = sent();
      const own = spans.filter((each) => each.traceId === traceId);
      const named = (service: string, name: string) =>
        own.find((each) => each.service === service && each.name === name) ??
        expect.fail(`${service} ${name}`);
      const parentOf = ({ parentSpanId }: z.output<typeof span>) =>
        own.find(({ spanId }) => spanId === parentSpanId);

      expect(named("parley-app", "auth.challenge").parentSpanId).toBe(clickId);
      const verified = named("parley-app", "auth.verify");
      expect(verified.parentSpanId).toBe(clickId);
      expect(parentOf(named("parley-app", "rpc eth_call"))).toBe(verified);
      const bought = named("parley-prover", "prove");
      expect(bought.parentSpanId).toBe(clickId);
      const asked = named("parley-prover", "facilitator settle");
      const settled = named("parley-facilitator", "settle");
      expect(parentOf(settled)).toBe(asked);
      expect(parentOf(named("parley-facilitator", "rpc eth_sendRawTransaction"))).toBe(settled);
      expect(parentOf(asked)?.service).toBe("parley-prover");
      // Every span belongs to the click, directly or not.
      const roots = own.filter((each) => !parentOf(each));
      expect(new Set(roots.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([clickId]));

      const text = bodies.join("");
      const inputs = [jwt, jwt.split(".")[1], jwt.split(".")[2], "canary", nonce, token, userId, challengeId];
      const money = [payer.address, payer.address.toLowerCase(), stack().payTo, main.token];
      const places = [main.description.rpcUrl, facilitator.url, prover.client.url, "/api/", "select "];
      for (const secret of [...inputs, ...money, ...places, proof.slice(0, 66)]) {
        expect(text.includes(secret ?? ""), secret).toBe(false);
      }
    });

    it("operations: a browser of another site may send the trace's header to the prover", async () => {
      const preflight = await fetch(`${stack().prover.client.url}/api/v1/prove`, {
        method: "OPTIONS",
        headers: { origin: "https://app.example", "access-control-request-method": "POST" },
      });
      expect(preflight.headers.get("access-control-allow-headers")).toContain("traceparent");
    });
  });
}
