/** Words of proofs about a wallet: its attestation, what it signs, and the example action. */

export const attested = {
  holder: "Your vouched-for wallet",
  holderHint: "It signs a statement. It never pays: another account does, which you choose later.",
  start: "Connect and look",
  connect: "Connect wallet",
  asked: (services: string) =>
    `To find out who vouched for it, this browser asks ${services} about its address. Our server is not asked and learns none of it.`,
  services: {
    index: (_chain: string) => "the index of attestations",
    explorer: (chain: string) => `the block explorer of ${chain}`,
    chain: (chain: string) => `a node of ${chain}`,
  },
  priceLater: "You choose what pays after your wallet has signed, and see the price again.",
  wallet: "Wallet",
  voucher: "Vouched for by",
  attester: (chain: string) => `an accepted attester on ${chain}`,
  attesterContract: "attester's contract",
  when: "When",
  record: "Recorded in",
  recordLabel: "transaction of the attestation",
  country: "Country",
  onlyHere: "Only you see this: it stays in this browser.",
  provesList: (statement: string) => `The proof will say “${statement}”, and no more.`,
  unusable: "This wallet cannot prove it yet",
  lookedUp: "Looked up:",
  notFound: "No accepted attester has vouched for this wallet. Nothing was signed or paid.",
  revoked: "What was said about this wallet was taken back or has run out. Nothing was signed or paid.",
  superseded:
    "A newer statement about this wallet has taken the place of the one found. Nothing was paid. Look again.",
  untrusted: "Whoever vouched for this wallet is not accepted here. Nothing was signed or paid.",
  unavailable: "The services that know who vouched for whom do not answer.",
  notInList: (country: string, asked: string) =>
    `Your wallet says ${country}; this topic asks for ${asked}. Nothing was sent, signed or paid.`,
  inExcludedList: (country: string, asked: string) =>
    `Your wallet says ${country}; this topic does not take people who live in ${asked}. Nothing was sent, signed or paid.`,
  howTo: "How to get vouched for",
  howToText:
    "An attester checks who you are and writes so on chain, about your wallet's address. Ask the attester this installation accepts, then look again.",
  howToDevelopment: "On this development installation a page does it at once.",
  openAttester: "Open the development attester",
  look: "Look again",
  signWith: "Sign with this wallet",
  signMessage: "Your wallet signs this message. It moves no money and gives no permission.",
  signAction: "Your wallet authorises exactly this, and proves with the same signature that it may.",
  action: "Everything that is signed",
  message: "Message",
  formula: "How it is made",
  formulaCode: "keccak256(circuit:scope:code)",
  formulaAddress: "keccak256(address ‖ scope ‖ circuit)",
  address: "your wallet's address",
  scope: "this community's name",
  circuit: "kind of proof",
  nonce: "one-time code of our server",
  onlyOnce: "The code is yours and lasts 5 minutes, so nobody who sees the proof can use it in your place.",
  sameAlways:
    "It is the same each time you prove a country here. Whoever had this signature could make the same proof: it goes to the prover, which keeps none of it, and leaves this tab with the proof.",
  walletShows: "The wallet shows the message as a row of letters and digits: compare its beginning and end.",
  staleSignature:
    "The one-time code ran out before you paid, so there is a new one to sign. Nothing was paid.",
  otherAccount:
    "The wallet answered with another account than the one that was looked up. Switch the account in your wallet and try again, or start again. Nothing was paid.",
  // Stages that read otherwise for a wallet's proof than for an identity provider's.
  about: {
    identity: "Who vouched for your wallet is looked up.",
    sign: "Your wallet signs what the proof rests on.",
    price: "The prover names its price, and you choose what pays.",
    payment: "The paying wallet signs an authorisation; the payee's side pays the gas.",
    witness: "The prover checks your wallet's signature and the attester's.",
    proving: "The proof is computed.",
    checking: "The verifier contract checks the proof.",
    sealed: "The seal is yours.",
  },
  leaves: {
    identity: (services: string) =>
      `Leaves this device: the wallet's address, to ${services}. Nothing to us.`,
    sign: "Leaves this device: nothing yet. The signature stays in this tab.",
    price: "Leaves this device: the question what a proof costs.",
    payment:
      "Leaves this device: both signatures and what the attester wrote, to the prover only. The payment is public.",
    witness: "Leaves this device: nothing more.",
    proving: "Leaves this device: nothing more.",
    checking: "Leaves this device: the proof, without your address.",
    sealed: "The signature and what the attester wrote were removed from this device.",
  },
  learnsPerson: "that an accepted attester vouched for you",
  learnsCode: "a code that is yours in this community only",
  hidden: [
    "your wallet's address",
    "your name and documents",
    "who vouched for you among the accepted ones, and when",
  ],
  hiddenCountry: "which of these countries it is",
  hiddenWhere: "where you live instead",
  proverSees:
    "The prover reads your wallet's address and what the attester wrote while it makes the proof, and keeps neither. Our own server never receives them.",
  recognisable:
    "The code is made from the address: whoever sees the proof and knows your address could tell that they belong together. We keep only a keyed hash of it.",
  notOffered:
    "This installation has nobody who vouches for wallets in this way, so this gate cannot be passed here.",
};

export const petition = {
  title: "Authorise an action",
  lead: "A wallet can prove that a verified person stands behind it and authorise one exact action with the same signature. This page does it with an example contract: a petition that counts each verified person once and never learns who they are.",
  contract: "Example contract",
  count: (n: string) => (n === "1" ? "1 verified person has signed" : `${n} verified people have signed`),
  statement: "Statement to sign",
  statementHint: "The contract keeps only its hash. The same words make the same petition.",
  standard: "Proofs should ask for less than documents do.",
  empty: "Write a statement.",
  hashOf: (text: string) => `statement is the hash of: ${text}`,
  until: (moment: string) => `deadline is ${moment}: later it cannot be handed in.`,
  learnsTitle: "What everybody learns",
  signedAlready:
    "This person has signed this statement before; each counts once. Nothing was signed or paid.",
  learnsAction: "the hash of exactly this action, and that a verified person authorised it",
  learnsCode: "a code that is yours in this petition only",
  recognisable:
    "The code is made from the address and stands on the chain: whoever knows your address can find your signature by it.",
  sealed: "The action is proven",
  sealedText: "Anybody may hand this proof in: nothing in it is theirs, and only your action fits it.",
  submitFrom: "It is handed in by the account that paid:",
  submit: "Send to the contract",
  sending: "The transaction is on its way",
  done: "The contract took it",
  doneText: "Your signature counts. The chain knows that a verified person gave it, and not who.",
  failed: "The contract did not take it",
  failedText: "The transaction failed, and its gas is spent. The proof is kept: try again.",
  notSent: "The transaction was not sent. The proof is kept: try again.",
  otherAccount: "The wallet no longer shares the account that paid. Switch to it and try again.",
  transaction: "transaction of the signature",
  again: "Sign another statement",
  give: "Give the proof up",
  none: "This installation has no example contract.",
  toDocs: "Read the API",
  noneHint: "The development stack deploys one at its start.",
  link: "Authorise an action",
  linkHint: "Prove that a verified person authorises one exact action, for any contract.",
};

/** Several of many. */
export const picker = {
  chosen: "Chosen",
  list: "Choices",
  remove: (name: string) => `Remove ${name}`,
  added: (name: string, n: number, max: number) => `${name} added, ${n} of ${max}`,
  removed: (name: string, n: number, max: number) => `${name} removed, ${n} of ${max}`,
  count: (n: number, max: number) => `${n} of at most ${max} chosen`,
  full: (max: number) => `${max} are chosen, which is the most.`,
  none: "Nothing fits what you typed.",
};
