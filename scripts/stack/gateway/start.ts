import { z } from "zod";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import { developmentAccount, type Role } from "../accounts";
import type { Children } from "../children";
import { gatewayProgram } from "../programs";
import type { Reporter } from "../progress";
import { servedNetworks } from "./requests";

/** The deposit of each account after a start, in atomic units (100 USD). */
const DEPOSIT = 100_000_000n;
const DEPOSITORS: readonly Role[] = ["journey", "browser"];

type Context = Parameters<typeof gatewayProgram>[0];

/** Starts the stub gateway and gives the paying development accounts a deposit. */
export async function startGateway(context: Context, children: Children, reporter: Reporter): Promise<void> {
  await reporter.step("Stub payment gateway", async (step) => {
    await children.start(gatewayProgram(context));
    const url = `http://127.0.0.1:${context.settings.ports.gateway}`;
    const made = await fillDeposits(url, context.deployment.offers);
    if (made > 0) step.detail(`${made} deposits`);
  });
}

/** Tops up low deposits. @returns how many it topped up */
export async function fillDeposits(url: string, offers: readonly PaymentOffer[]): Promise<number> {
  let made = 0;
  for (const { network } of servedNetworks(offers)) {
    for (const role of DEPOSITORS) {
      const { address: depositor } = developmentAccount(role);
      const before = await deposit(url, network, depositor, 0n);
      if (before >= DEPOSIT / 2n) continue;
      await deposit(url, network, depositor, DEPOSIT);
      made += 1;
    }
  }
  return made;
}

async function deposit(url: string, network: string, depositor: string, amount: bigint): Promise<bigint> {
  const response = await fetch(`${url}/deposits`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ network, depositor, amount: amount.toString() }),
  });
  if (!response.ok) throw new Error(`the stub gateway responded with ${response.status}`);
  return BigInt(z.object({ balance: z.string() }).parse(await response.json()).balance);
}
