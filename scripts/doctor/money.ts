import type { Hex } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { RecordBoard } from "@/contracts";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import { appVariables } from "@/lib/settings/app";
import { facilitatorVariables } from "@/lib/settings/facilitator";
import { proverVariables } from "@/lib/settings/prover";
import { checkSettings } from "@/lib/settings/read";
import { Chains } from "@/prover/chains";
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

/** Checks that each key has gas where it pays. */
export const checkGas: Check = async (patient) => {
  const { environment, deployment } = patient;
  const record = checkSettings({ RECORD_KEY: appVariables.RECORD_KEY }, environment).values?.RECORD_KEY;
  const { recordBoard } = deployment;
  const findings = await Promise.all([
    ...settlementKeys(patient).flatMap(({ name, key, settlement }) =>
      chainsOf(deployment.offers, settlement).map((chainId) => gasFinding(patient, name, key, chainId)),
    ),
    ...(record && recordBoard && patient.programs.has("app")
      ? [gasFinding(patient, "RECORD_KEY", record, recordBoard.chainId)]
      : []),
  ]);
  return findings.flat();
};

/** Returns the keys that pay for settlements, each with the kind of offers that it settles. */
function settlementKeys({ environment, programs }: Patient) {
  const { PROVER_SETTLEMENT_KEY } = proverVariables;
  const { FACILITATOR_KEY } = facilitatorVariables;
  const payee = checkSettings({ PROVER_SETTLEMENT_KEY }, environment).values?.PROVER_SETTLEMENT_KEY;
  const own = checkSettings({ FACILITATOR_KEY }, environment).values?.FACILITATOR_KEY;
  return [
    ...(payee && programs.has("prover")
      ? [{ name: "PROVER_SETTLEMENT_KEY", key: payee, settlement: "payee" } as const]
      : []),
    ...(own && programs.has("facilitator")
      ? [{ name: "FACILITATOR_KEY", key: own, settlement: "facilitator" } as const]
      : []),
  ];
}

function chainsOf(offers: readonly PaymentOffer[], settlement: PaymentOffer["settlement"]): number[] {
  return [...new Set(offers.flatMap((offer) => (offer.settlement === settlement ? offer.chainId : [])))];
}

async function gasFinding(
  { deployment }: Patient,
  name: string,
  key: Hex,
  chainId: number,
): Promise<readonly Finding[]> {
  const address = privateKeyToAddress(key);
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

/** Checks that the record board is a record board. */
export const checkRecordBoard: Check = async ({ deployment, programs, environment }) => {
  const { recordBoard } = deployment;
  if (!recordBoard || !programs.has("app")) return [];
  const about = "record board";
  if (!environment.RECORD_KEY && !environment.RECORD_KEY_FILE) {
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
