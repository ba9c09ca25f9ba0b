import { RecordBoard } from "@/contracts";
import { addressOf, signerOf } from "@/lib/chain/remote-signer";
import { RemoteSignerError } from "@/lib/proofs/client/remote-signer";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import { recordKeyOf } from "@/lib/runtime/config";
import { appVariables } from "@/lib/settings/app";
import { facilitatorVariables } from "@/lib/settings/facilitator";
import type { SigningKey } from "@/lib/settings/keys";
import { proverVariables } from "@/lib/settings/prover";
import { checkSettings, isSet } from "@/lib/settings/read";
import { Chains } from "@/prover/chains";
import { settlementKeyOf } from "@/prover/config";
import { facilitatorKeyOf } from "@/prover/facilitator/config";
import { tokenProblems } from "@/prover/offer-problems";
import { enoughSettlements, readGas } from "@/prover/payment/gas";
import { nodeOf } from "./chains";
import { type Check, type Finding, fault, type Patient, reasonOf, warning } from "./finding";

/** Compares the offers with their tokens. */
export const checkTokens: Check = async ({ deployment, programs }) => {
  if (!programs.has("prover") && !programs.has("facilitator")) return [];
  const { problems, silent } = await tokenProblems(deployment.offers, new Chains(deployment));
  const mend = "Correct asset, decimals and eip712 of the offer; the token's contract states them";
  return [
    ...problems.map((problem) => fault("offers", problem, mend)),
    ...silent.map((id) =>
      fault("offers", `the token on chain ${id} could not be asked`, "Check the chain's rpcUrl"),
    ),
  ];
};

/** Checks that each account has gas where it pays, and that a remote signer signs for it. */
export const checkGas: Check = async (patient) => {
  const findings = accountsOf(patient).flatMap(({ name, key, chainIds }) => [
    ...chainIds.map((chainId) => gasFinding(patient, name, key, chainId)),
    ...chainIds.slice(0, 1).map((chainId) => signerFinding(name, key, chainId)),
  ]);
  return (await Promise.all(findings)).flat();
};

/** Returns the accounts that pay for transactions, each with its chains. A wrong setting counts as not set. */
function accountsOf({ environment, deployment, programs, mode }: Patient) {
  const isProduction = mode === "production";
  const app = checkSettings(appVariables, environment).values;
  const prover = checkSettings(proverVariables, environment).values;
  const facilitator = checkSettings(facilitatorVariables, environment).values;
  const { recordBoard, offers } = deployment;
  const all = [
    {
      name: "RECORD",
      program: "app",
      key: app && recordKeyOf(app, isProduction).key,
      chainIds: recordBoard ? [recordBoard.chainId] : [],
    },
    {
      name: "PROVER_SETTLEMENT",
      program: "prover",
      key: prover && settlementKeyOf(prover, isProduction).key,
      chainIds: chainsOf(offers, "payee"),
    },
    {
      name: "FACILITATOR",
      program: "facilitator",
      key: facilitator && facilitatorKeyOf(facilitator, isProduction).key,
      chainIds: chainsOf(offers, "facilitator"),
    },
  ] as const;
  return all.flatMap(({ name, program, key, chainIds }) =>
    key && programs.has(program)
      ? [{ name: `${name}_${typeof key === "string" ? "KEY" : "SIGNER"}`, key, chainIds }]
      : [],
  );
}

function chainsOf(offers: readonly PaymentOffer[], settlement: PaymentOffer["settlement"]): number[] {
  return [...new Set(offers.flatMap((offer) => (offer.settlement === settlement ? offer.chainId : [])))];
}

async function gasFinding(
  { deployment }: Patient,
  name: string,
  key: SigningKey,
  chainId: number,
): Promise<readonly Finding[]> {
  const address = addressOf(key);
  const about = `${name} on chain ${chainId}`;
  const mend = `Send native tokens of chain ${chainId} to ${address}`;
  try {
    const { settlements } = await readGas(nodeOf(deployment, chainId), `eip155:${chainId}`, address);
    if (settlements < 1) return [fault(about, `${address} has no gas`, mend)];
    if (settlements >= enoughSettlements) return [];
    return [warning(about, `${address} has gas for ${settlements} transactions only`, mend)];
  } catch (error) {
    return [fault(about, `its balance cannot be read (${reasonOf(error)})`, "Check the chain's rpcUrl")];
  }
}

/** Has a remote signer sign what no chain accepts: a transaction that offers no fee. */
async function signerFinding(name: string, key: SigningKey, chainId: number): Promise<readonly Finding[]> {
  if (typeof key === "string") return [];
  try {
    await signerOf(key).signTransaction({
      ...{ type: "eip1559", chainId, to: key.address, nonce: 0, gas: 21_000n },
      ...{ maxFeePerGas: 0n, maxPriorityFeePerGas: 0n },
    });
    return [];
  } catch (error) {
    const said = error instanceof RemoteSignerError ? error.message : reasonOf(error);
    const mend = `Check ${name}_URL, ${name}_ADDRESS and ${name}_TOKEN, and the signer's own rules`;
    return [fault(name, said, mend)];
  }
}

/** Checks that the record board is a record board. */
export const checkRecordBoard: Check = async ({ deployment, programs, environment }) => {
  const { recordBoard } = deployment;
  if (!recordBoard || !programs.has("app")) return [];
  const about = "record board";
  if (!isSet(environment, "RECORD_KEY") && !isSet(environment, "RECORD_SIGNER_URL")) {
    return [
      warning(
        about,
        "RECORD_KEY is not set: posts cannot be recorded",
        "Set RECORD_KEY, or recordBoard to null",
      ),
    ];
  }
  try {
    const { address } = recordBoard;
    const code = await nodeOf(deployment, recordBoard.chainId).getCode({ address });
    // Creation code ends with the code that it leaves on the chain; this contract has no immutable values in it.
    if (code && RecordBoard.bytecode.endsWith(code.slice(2))) return [];
    const problem = code ? `the contract at ${address} is no RecordBoard` : `there is no code at ${address}`;
    return [
      fault(about, problem, "Deploy contracts/src/RecordBoard.sol there and name its address as recordBoard"),
    ];
  } catch (error) {
    return [
      fault(about, `it cannot be read (${reasonOf(error)})`, "Check its chain and that chain's rpcUrl"),
    ];
  }
};
