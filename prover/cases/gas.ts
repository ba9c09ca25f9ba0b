import { type Address, createTestClient, http } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createPayer } from "../testing/payer";
import { price, type RunningProver, type Stack } from "../testing/stack";
import { twoFacedWallet } from "../testing/wallets";

const supportedSchema = z.looseObject({ signers: z.record(z.string(), z.array(z.string())) });

/** What settlements cost us, and that somebody watches it. */
export function gas(stack: () => Stack): void {
  describe("the gas of the facilitator", () => {
    let running: RunningProver;
    let account: Address;
    beforeAll(async () => {
      running = await stack().start(
        { reconcileMs: 700, metrics: { port: 0, host: "127.0.0.1" } },
        stack().replaying(),
      );
      const supported = await fetch(`${stack().proxy.url}/supported`);
      const { signers } = supportedSchema.parse(await supported.json());
      const [[signer = ""] = []] = Object.values(signers);
      account = `0x${signer.slice(2)}`;
    });
    const control = () => createTestClient({ mode: "anvil", transport: http(stack().main.anvil.rpcUrl) });

    it("payments F5: is spent once on a wallet that says yes to it and no to its token", async () => {
      const { main, inputs } = stack();
      const payer = createPayer();
      await main.mint(payer.address, price);
      const { header } = await payer.sign(await running.client.offer("eip155:8453"));
      await control().setCode({ address: payer.address, bytecode: twoFacedWallet });
      const sent = async () => await main.client.getTransactionCount({ address: account });
      const before = await sent();
      const reasons = [];
      for (let i = 0; i < 3; i += 1) reasons.push((await running.client.buy(inputs, header)).error?.reason);
      expect(reasons).toEqual(["settlement_unconfirmed", "refused_by_facilitator", "refused_by_facilitator"]);
      expect(await sent()).toBe(before + 1);
    });

    it("payments F10: is a metric beside our own account's, and below ten settlements /health says so", async () => {
      const metrics = async () => await (await fetch(running.server.metricsUrl ?? "")).text();
      const shown = await metrics();
      for (const [name, network] of [
        ["facilitator", 8453],
        ["settlement", 1],
      ]) {
        const labels = `{account="${name}",network="eip155:${network}"}`;
        expect(shown).toContain(`prover_gas_wei${labels} `);
        expect(shown).toMatch(new RegExp(`prover_gas_settlements\\${labels} [1-9]`));
      }
      const balance = await stack().main.client.getBalance({ address: account });
      try {
        await control().setBalance({ address: account, value: 1n });
        const health = await fetch(`${running.client.url}/health`);
        expect([health.status, await health.json()]).toMatchObject([503, { checks: { facilitator: false } }]);
        expect(await metrics()).toContain(
          'prover_gas_settlements{account="facilitator",network="eip155:8453"} 0',
        );
      } finally {
        await control().setBalance({ address: account, value: balance });
      }
    });
  });
}
