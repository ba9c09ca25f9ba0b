import type { BrowserContext, Page } from "@playwright/test";
import { type Address, createPublicClient, createWalletClient, http, numberToHex } from "viem";
import { z } from "zod";
import { DevelopmentDollar } from "@/contracts";
import { type Chain, chainOf } from "@/lib/proofs/deployment";
import { developmentAccount } from "@/scripts/stack/accounts";
import { deployment } from "./installation";

export const WALLET_NAME = "Test wallet";
/** Dollars minted before a test pays, atomic units. */
const FILL = 1_000_000n;
/** EIP-1193: the person said no. */
const DECLINED = { code: 4001, message: "User rejected the request." };

/** A browser wallet under the test's control. It lives outside the page, so it keeps counting over reloads. */
export interface TestWallet {
  readonly address: Address;
  /** How often a payment was asked to be signed. */
  signatures(): number;
  /** How often a statement was: a message or an action. */
  statements(): number;
  /** Declines every signature from now on. */
  decline(): void;
  /** Atomic units of the dollar on the first offer's chain. */
  balance(): Promise<bigint>;
}

const call = z.object({ method: z.string(), params: z.array(z.unknown()) });
const switchParams = z.tuple([z.object({ chainId: z.string().regex(/^0x[0-9a-f]+$/) })]);

/**
 * Announces a wallet by EIP-6963. A string: it runs in the page before anything else, where none of this module
 * exists.
 */
const ANNOUNCE = `(() => {
  const listeners = {};
  const provider = {
    request: async ({ method, params }) => {
      const answer = await window.parleyTestWallet(JSON.stringify({ method, params: params ?? [] }));
      const { result, error } = JSON.parse(answer);
      if (error) throw Object.assign(new Error(error.message), { code: error.code });
      if (method === "wallet_switchEthereumChain")
        for (const listener of listeners.chainChanged ?? []) listener(params[0].chainId);
      return result;
    },
    on: (event, listener) => { (listeners[event] ??= []).push(listener); },
    removeListener: (event, listener) => {
      listeners[event] = (listeners[event] ?? []).filter((one) => one !== listener);
    },
  };
  const info = {
    uuid: "6c7d4a8e-1f30-4a57-9a3e-0d5f1f0f2a11",
    name: ${JSON.stringify(WALLET_NAME)},
    icon: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><rect width='8' height='8'/></svg>",
    rdns: "example.parley.test",
  };
  const detail = Object.freeze({ info, provider });
  const announce = () => window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
  window.addEventListener("eip6963:requestProvider", announce);
  announce();
})()`;

/** What is signed as typed data: money moves with one kind of it only. */
const typedData = z
  .string()
  .transform((text) => z.object({ primaryType: z.string() }).parse(JSON.parse(text)));

/**
 * Puts a funded wallet into every page of a browser context.
 * @param role whose account it has; one the local chains sign for, and the development attester has vouched for.
 */
export async function installWallet(
  context: BrowserContext,
  role: "browser" | "journey" | "demo" = "browser",
): Promise<TestWallet> {
  const offer = deployment.offers[0];
  if (!offer) throw new Error("the installation offers no payment");
  const { address } = developmentAccount(role);
  const transport = http(chainOf(deployment, offer.chainId).rpcUrl);
  const reader = createPublicClient({ transport });
  const hash = await createWalletClient({ account: address, transport }).writeContract({
    address: offer.asset,
    abi: DevelopmentDollar.abi,
    functionName: "mint",
    args: [address, FILL],
    chain: null,
  });
  await reader.waitForTransactionReceipt({ hash, pollingInterval: 100, checkReplacement: false });

  // On another chain than the offer's, so that the app has to ask for a switch first.
  let chain: Chain = chainOf(deployment, 91342);
  let asked = 0;
  let stated = 0;
  let declining = false;

  const answer = async (request: string): Promise<object> => {
    const { method, params } = call.parse(JSON.parse(request));
    switch (method) {
      case "eth_requestAccounts":
      case "eth_accounts":
        return { result: [address] };
      case "eth_chainId":
        return { result: numberToHex(chain.id) };
      case "wallet_switchEthereumChain":
        chain = chainOf(deployment, Number(switchParams.parse(params)[0].chainId));
        return { result: null };
      case "personal_sign":
        stated++;
        return declining ? { error: DECLINED } : forward(chain, method, params);
      case "eth_signTypedData_v4":
        if (typedData.parse(params[1]).primaryType === "TransferWithAuthorization") asked++;
        else stated++;
        return declining ? { error: DECLINED } : forward(chain, method, params);
      default:
        return method.startsWith("wallet_")
          ? { error: { code: -32601, message: `${method} is not supported` } }
          : forward(chain, method, params);
    }
  };
  await context.exposeFunction("parleyTestWallet", async (request: string) =>
    JSON.stringify(await answer(request)),
  );
  await context.addInitScript(ANNOUNCE);
  return {
    address,
    signatures: () => asked,
    statements: () => stated,
    decline: () => {
      declining = true;
    },
    balance: () =>
      reader.readContract({
        address: offer.asset,
        abi: DevelopmentDollar.abi,
        functionName: "balanceOf",
        args: [address],
      }),
  };
}

const rpcReply = z.object({
  result: z.unknown(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});

async function forward(chain: Chain, method: string, params: readonly unknown[]): Promise<object> {
  const response = await fetch(chain.rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return rpcReply.parse(await response.json());
}

/** Chooses the wallet on the start form or at the price. */
export async function chooseWallet(page: Page): Promise<void> {
  await page.getByRole("radio", { name: WALLET_NAME }).check();
}
