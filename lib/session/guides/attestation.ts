import { ATTESTATIONS_QUERY } from "@/lib/proofs/attestation/sources";
import type { Deployment } from "@/lib/proofs/deployment";
import { merkleProof, scopeWord } from "@/lib/proofs/derivations";
import { type AttestedCircuit, type Attester, attestersOf } from "@/lib/proofs/trust/attesters";
import { type GuideSubject, priceOf, type Step } from "./parts";

/** What the guides of all circuits that prove an attestation of a wallet share. */

/** By whom and where the attestation must have been made. */
function attesterOf({ deployment }: GuideSubject, circuit: AttestedCircuit): Attester {
  return attestersOf(deployment.mode)[circuit];
}

function chainName({ chains }: Deployment, chainId: number): string {
  return chains.find(({ id }) => id === chainId)?.name ?? `chain ${chainId}`;
}

export function walletMobileSteps(
  subject: GuideSubject,
  circuit: AttestedCircuit,
  said: string,
): readonly Step[] {
  const { deployment } = subject;
  const { chainId, contract } = attesterOf(subject, circuit);
  return [
    ["Open the topic", `In a browser with your wallet, at ${deployment.services.appUrl}, and press Join.`],
    [
      "Connect the attested wallet",
      `The one for which the attester ${contract} has ${said} on ${chainName(deployment, chainId)} (chain ${chainId}). The page finds the attestation.`,
    ],
    ["Sign one message", "With that wallet. It is no transaction and costs nothing."],
    [
      "Pay for the proof",
      `${priceOf(deployment)}, from another wallet: payments are public, and one from the attested wallet would show whose proof it is. Nothing is charged for what cannot be proven.`,
    ],
    ["Wait", "The proof takes some seconds; the page then joins by itself."],
  ];
}

/** From the wallet's address ($WALLET) to the signed attestation transaction ($RAW_TRANSACTION). */
export function findingSteps(subject: GuideSubject, circuit: AttestedCircuit): readonly Step[] {
  return [findStep(subject, circuit), transactionStep(subject, circuit)];
}

function findStep(subject: GuideSubject, circuit: AttestedCircuit): Step {
  const { schema, registry, chainId, contract } = attesterOf(subject, circuit);
  const index = subject.deployment.attestations?.graphqlUrl;
  const rule =
    "The newest one counts; the prover refuses one that was revoked, has run out or was replaced. $WALLET is the attested wallet's address in checksummed form (EIP-55). No entry: this wallet cannot make the proof.";
  const title = "Find the attestation of your wallet";
  if (!index) {
    return [
      title,
      `Among the events Attested(address indexed recipient, address indexed attester, bytes32 uid, bytes32 indexed schemaUID) of the registry ${registry} on chain ${chainId}, by attester ${contract} and schema ${schema}. ${rule}`,
    ];
  }
  const body = JSON.stringify({
    query: ATTESTATIONS_QUERY,
    variables: {
      where: {
        schemaId: { equals: schema },
        recipient: { equals: "'$WALLET'" },
        attester: { equals: contract },
      },
      orderBy: [{ time: "desc" }],
      take: 1,
    },
  });
  return [
    title,
    `In the index of the attestation registry ${registry} on chain ${chainId}. ${rule} Its txid is the next step's $TXID.`,
    `curl -X POST ${index} -H "content-type: application/json" -d '${body}'`,
  ];
}

function transactionStep({ deployment }: GuideSubject, circuit: AttestedCircuit): Step {
  const { chainId } = attestersOf(deployment.mode)[circuit];
  const rpc = deployment.chains.find(({ id }) => id === chainId)?.publicRpcUrl ?? `$RPC_OF_CHAIN_${chainId}`;
  const call = `{"jsonrpc":"2.0","id":1,"method":"eth_getTransactionByHash","params":["'$TXID'"]}`;
  return [
    "Fetch its transaction",
    "Write the answer as the signed EIP-1559 transaction: 0x02 || rlp([chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gas, to, value, input, accessList, yParity, r, s]), numbers without leading zeros. Its keccak256 is $TXID (else a field is wrong), it is $RAW_TRANSACTION and its number of bytes $TX_LENGTH. Nodes that know eth_getRawTransactionByHash answer these bytes at once.",
    `curl -X POST ${rpc} -H "content-type: application/json" -d '${call}'`,
  ];
}

/** How the remaining inputs follow. @param nullifier its formula */
export function derivedInputsStep(
  { deployment }: GuideSubject,
  circuit: AttestedCircuit,
  nullifier: string,
): Step {
  const { signers, root } = attestersOf(deployment.mode)[circuit];
  const places = signers.map((signer, index) => ({
    signer,
    leaf_index: index,
    merkle_proof: merkleProof(signers, index),
  }));
  return [
    "Derive the other inputs",
    [
      "All are claims that the prover computes again (|| joins bytes).",
      `$NULLIFIER = ${nullifier}.`,
      "$USER_PUBKEY_X and _Y: the secp256k1 key recovered from $SIGNATURE, 32 bytes each.",
      "$ATTESTER_PUBKEY_X and _Y: the key recovered from yParity, r, s of the transaction over keccak256(0x02 || rlp of its first nine fields).",
      "$LEAF_INDEX and $MERKLE_PROOF (a JSON list) stand below beside that key's address, $DEPTH is the list's length.",
      `The tree: leaf = keccak256(20 address bytes), node = keccak256(left || right), root ${root}.`,
    ].join(" "),
    JSON.stringify(places),
  ];
}

/** The fields that all these circuits take, without the closing brace. */
export function walletInputs({ deployment }: GuideSubject, circuit: AttestedCircuit): string {
  const { scope } = deployment;
  const { root } = attestersOf(deployment.mode)[circuit];
  return [
    `"scope":${JSON.stringify(scope)},"scope_bytes":"${scopeWord(scope)}"`,
    `"signal_hash":"'$SIGNAL_HASH'","nullifier":"'$NULLIFIER'","merkle_root":"${root}"`,
    `"user_address":"'$WALLET'","signature":"'$SIGNATURE'"`,
    `"user_pubkey_x":"'$USER_PUBKEY_X'","user_pubkey_y":"'$USER_PUBKEY_Y'"`,
    `"raw_transaction":"'$RAW_TRANSACTION'","tx_length":'$TX_LENGTH'`,
    `"attester_pubkey_x":"'$ATTESTER_PUBKEY_X'","attester_pubkey_y":"'$ATTESTER_PUBKEY_Y'"`,
    `"merkle_proof":'"$MERKLE_PROOF"',"leaf_index":'$LEAF_INDEX',"depth":'$DEPTH'`,
  ].join(",");
}

/** What holders of an attestation should know whichever of its circuits they use. */
export const walletNotes: readonly string[] = [
  "The prover sees the wallet's address, its attestation and its signature while it works and keeps nothing of them. Never pass them through a language model.",
  "Pay from another wallet than the attested one: payments are public.",
];
