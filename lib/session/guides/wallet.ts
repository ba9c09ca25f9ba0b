import type { CountrySet } from "@/lib/policy/gate";
import { ATTESTATIONS_QUERY } from "@/lib/proofs/attestation/sources";
import type { Deployment } from "@/lib/proofs/deployment";
import { circuitTag, merkleProof, scopeWord } from "@/lib/proofs/derivations";
import { type AttestedCircuit, type Attester, attestersOf } from "@/lib/proofs/trust/attesters";
import {
  challengeStep,
  type GuideFamily,
  type GuideSubject,
  joinStep,
  priceOf,
  purchaseSteps,
  type Step,
} from "./parts";

const KYC_CIRCUIT = "network_eligibility";

/** The guide for proofs of the accepted identity check, in identity mode. */
export const kycGuide: GuideFamily = {
  mobileSteps: (subject) => walletMobileSteps(subject, KYC_CIRCUIT, "vouched"),

  agentSteps(subject) {
    const { scope } = subject.deployment;
    return [
      ...findingSteps(subject, KYC_CIRCUIT),
      challengeStep(
        subject,
        "The challenge then belongs to you, and only you can use the proof. It lives 5 minutes: all that follows, the join included, must fit in.",
      ),
      [
        "Sign with the attested wallet",
        `$SIGNAL_HASH = ${signalRule(subject)}. $SIGNATURE = EIP-191 personal_sign over these 32 bytes (not over their hex text): 65 bytes r, s, v.`,
        `signalHash = keccak256(toBytes(\`${KYC_CIRCUIT}:${scope}:\${nonce}\`)); signature = await wallet.signMessage({ message: { raw: signalHash } }); // viem`,
      ],
      derivedInputsStep(
        subject,
        KYC_CIRCUIT,
        `keccak256(keccak256($WALLET || ${circuitTag(KYC_CIRCUIT)}) || ${scopeWord(scope)})`,
      ),
      ...purchaseSteps(subject, kycGuide),
      joinStep,
    ];
  },

  inputs: (subject) => `{${walletInputs(subject, KYC_CIRCUIT)}}`,

  challenge: (subject) =>
    `With your session. The attested wallet signs its nonce: signal_hash = ${signalRule(subject)}.`,

  notes: () => [
    ...walletNotes,
    "Leave out domain_separator, action_hash and action: an action proof authorises that action, not an entry.",
    "Only proofs of network_eligibility count; the test network's regional_attestation opens no gate.",
    `Such a proof also signs in, when its signal hash has the nonce of the sign-in's challenge: POST /api/auth/verify/ai with circuit ${KYC_CIRCUIT}.`,
  ],
};

function signalRule({ deployment }: GuideSubject): string {
  return `keccak256 of the UTF-8 bytes of "${KYC_CIRCUIT}:${deployment.scope}:<nonce>" with the challenge's nonce`;
}

const COUNTRY_CIRCUIT = "partner_country_attestation";

/** The guide for proofs of the attested country. */
export const countryGuide: GuideFamily = {
  mobileSteps: (subject) => walletMobileSteps(subject, COUNTRY_CIRCUIT, "attested your country"),

  agentSteps(subject) {
    const { scope } = subject.deployment;
    return [
      ...findingSteps(subject, COUNTRY_CIRCUIT),
      [
        "Sign with the attested wallet",
        `$SIGNAL_HASH = keccak256($WALLET (20 bytes) || "${scope}" || "${COUNTRY_CIRCUIT}"), the texts as UTF-8, nothing between them. $SIGNATURE = EIP-191 personal_sign over these 32 bytes (not over their hex text): 65 bytes r, s, v. Keep it to yourself.`,
        `signalHash = keccak256(encodePacked(["address","string","string"], [wallet.address, ${JSON.stringify(scope)}, "${COUNTRY_CIRCUIT}"])); signature = await wallet.signMessage({ message: { raw: signalHash } }); // viem`,
      ],
      derivedInputsStep(
        subject,
        COUNTRY_CIRCUIT,
        `keccak256(keccak256($WALLET || $SIGNAL_HASH) || ${scopeWord(scope)})`,
      ),
      ["Choose what to prove", listRule(subject.permitted)],
      ...purchaseSteps(subject, countryGuide),
      challengeStep(subject, `${challengeRule} Hand the proof in within these five minutes.`),
      joinStep,
    ];
  },

  inputs(subject) {
    const { permitted } = subject;
    const list = permitted ? JSON.stringify(permitted.countries) : `'"$COUNTRY_LIST"'`;
    const side = permitted ? String(permitted.included) : "'$IS_INCLUDED'";
    return `{${walletInputs(subject, COUNTRY_CIRCUIT)},"country_list":${list},"is_included":${side}}`;
  },

  challenge: () => `With your session, at most five minutes before the join. ${challengeRule}`,

  notes: () => [
    ...walletNotes,
    "A country proof carries no challenge. Each is accepted once, from whoever hands it in first: keep it to yourself until you have used it. The signature makes further ones: keep that as well.",
    "Country proofs do not sign in.",
  ],
};

const challengeRule =
  "An open challenge of your own is used up with the proof; nothing of it goes into the proof.";

/** Returns which list proves that the holder's country is permitted. */
function listRule(permitted: CountrySet | null): string {
  if (!permitted) {
    return "$COUNTRY_LIST (a JSON list) and $IS_INCLUDED: the topic's allowedCountries with true, or its excludedCountries with false; 1 to 10 codes. The attested country must agree.";
  }
  const list = permitted.countries.join(", ");
  return permitted.included
    ? `country_list ${list} with is_included true: you live in one of them. A part of this list that has your country will do as well, but says more about you; is_included false will not.`
    : `country_list ${list} with is_included false: you live in none of them. A longer list will do as well; so will is_included true with a list that has none of these, but it says more about you.`;
}

/** Returns who must have made the attestation, and where. */
function attesterOf({ deployment }: GuideSubject, circuit: AttestedCircuit): Attester {
  return attestersOf(deployment.mode)[circuit];
}

function chainName({ chains }: Deployment, chainId: number): string {
  return chains.find(({ id }) => id === chainId)?.name ?? `chain ${chainId}`;
}

function walletMobileSteps(subject: GuideSubject, circuit: AttestedCircuit, said: string): readonly Step[] {
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

/** Returns the steps from the wallet's address ($WALLET) to the signed attestation transaction ($RAW_TRANSACTION). */
function findingSteps(subject: GuideSubject, circuit: AttestedCircuit): readonly Step[] {
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

/** Returns the step that derives the remaining inputs. @param nullifier its formula */
function derivedInputsStep({ deployment }: GuideSubject, circuit: AttestedCircuit, nullifier: string): Step {
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

/** Returns the input fields common to these circuits, without braces. */
function walletInputs({ deployment }: GuideSubject, circuit: AttestedCircuit): string {
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

/** Notes for all holders of an attestation. */
const walletNotes: readonly string[] = [
  "The prover sees the wallet's address, its attestation and its signature while it works and keeps nothing of them. Never pass them through a language model.",
  "Pay from another wallet than the attested one: payments are public.",
];
