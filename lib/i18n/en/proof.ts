/** Words of seals, gates, signing in, proof runs and wallets. */

export const seal = {
  open: "Seal: {statement}. Show what it means",
  domain: "@{domain}",
  anyDomain: "Work email",
  countries: "lives in {list}",
  notCountries: "lives in none of {list}",
  person: "KYC'd",
  vouchedBy: "vouched for by {voucher}",
  until: "until",
  whatOthersSee: "What others see",
  whatStaysHidden: "What stays hidden",
  howChecked: "How it was checked",
  checkedBy: "A contract on {chain} checked the proof.",
  verifier: "Verifier contract",
  transaction: "Transaction",
  when: "Checked",
  details: "Details",
  circuit: "Circuit",
  technicalWallet:
    "It is a zero-knowledge proof (UltraHonk over BN254). The attester's signature under the attestation transaction and the wallet's own signature are checked inside the proof; the nullifier is the only identifier that leaves it, and we keep only a keyed hash of that.",
  technical:
    "It is a zero-knowledge proof (UltraHonk over BN254). The identity provider's signature, the verified address and its domain are checked inside the proof; the nullifier is the only identifier that leaves it, and we keep only a keyed hash of that.",
  development: "Development proof: anyone can forge these.",
  developmentLong:
    "This installation runs with a development SRS. Its proofs show how things work and prove nothing: anyone can forge them.",
  sees: {
    countries: "that you live in {list}",
    notCountries: "that you do not live in {list}",
    gate: "only that you passed this gate, inside it",
    domain: "@{domain} beside your name, because you chose to show it in Settings",
    nickname: "your nickname, and nothing that links it to the address",
    nicknameWallet: "your nickname, and nothing that links it to the wallet",
  },
  hides: {
    address: "your email address",
    name: "your name and account at the provider",
    token: "the identity token itself",
  },
  hidesWallet: {
    address: "your wallet's address",
    name: "your name and documents",
    attestation: "what the attester wrote about your wallet",
  },
} as const;

export const gate = {
  none: "Nothing to prove here.",
  domain: "Members prove an email address at {domain}.",
  anyWorkspace: "Members prove a work email address.",
  country: "Members prove that they live in {list}.",
  notCountry: "Members prove that they do not live in {list}.",
  kyc: "Members prove that an attester has checked who they are.",
  or: "or",
  hidden: "The address stays hidden.",
  hiddenPerson: "Who they are stays hidden.",
  hiddenCountry: "Which country it is stays hidden.",
  hiddenWhere: "Where they live stays hidden.",
  satisfied: "You have proven this.",
} as const;

export const signIn = {
  title: "Sign in with a proof",
  lead: "You sign in at your email provider. A proof is made from what it signs, and only the proof reaches us.",
  provider: "Identity provider",
  rules: {
    provider_a: "rules A",
    provider_b: "rules B",
  },
  developmentProvider: "Development only: any address signs in.",
  learns: "What we learn",
  learnsCode: "a code that is yours in this community only",
  learnsSigner: "which provider signed, and when",
  domainOf: "the domain of your email address",
  thatDomain: "that your address is at {domain}",
  hidden: "What stays hidden",
  hiddenList: {
    address: "your email address",
    name: "your name and account at the provider",
    token: "which other places you sign in to",
  },
  recognisable:
    "The code is made from the address: whoever sees the proof, or runs this site, and knows or guesses your address could tell that they belong together. We keep only a keyed hash of it.",
  price: "What it costs",
  priceNote: "You see the final price again before your wallet is asked.",
  network: "Pay on",
  wallet: "Pay with",
  paidFrom: "Paid from {wallet}",
  continueWith: "Continue with {provider}",
  opening: "Opening your provider",
  whyPay:
    "Making a proof takes real computing. It is paid once. You stay signed in while you visit at least once a week, for at most 30 days; then it takes a new proof.",
  noIssuers: "No identity provider is configured on this installation.",
  done: "You are signed in",
  devTitle: "Development",
  devLogin: "Sign in without a proof",
  devHint: "DEV_LOGIN is on: no proof, no payment, this installation only.",
  callbackTitle: "Back from your provider",
  callbackWorking: "Reading the answer",
  deniedTitle: "The provider did not sign you in",
  denied: "It answered that the sign-in was cancelled or refused. Nothing was paid.",
  lostTitle: "This sign-in was not started here",
  lost: "The answer does not belong to a sign-in of this browser tab, so it was thrown away. Nothing was paid. Start again.",
  startAgain: "Start again",
  already: "You are signed in as {name}.",
  again:
    "Prove again with the identity that you signed in with as {name}, and you come back to where you were. Another identity is refused, paid or not.",
} as const;

export const run = {
  title: "Proof",
  stagesLabel: "Stages of the proof",
  stages: {
    identity: "Identity",
    sign: "Signature",
    price: "Price",
    payment: "Payment",
    prepare: "Getting ready",
    witness: "Witness",
    proving: "Proving",
    checking: "Checking",
    sealed: "Sealed",
  },
  about: {
    identity: "Your provider signed who you are, for this one time.",
    price: "The prover names its price.",
    payment: "Your wallet signs an authorisation; the payee's side pays the gas.",
    witness: "The prover checks that your token satisfies every rule.",
    proving: "The proof is computed.",
    checking: "The verifier contract checks the proof.",
    sealed: "The seal is yours.",
  },
  leaves: {
    identity: "Leaves this device: nothing yet.",
    price: "Leaves this device: the question what a proof costs.",
    payment: "Leaves this device: your wallet's signature, and the token, to the prover only.",
    witness: "Leaves this device: nothing more.",
    proving: "Leaves this device: nothing more.",
    checking: "Leaves this device: the proof, without your address.",
    sealed: "The identity token was removed from this device.",
  },
  elapsed: "{elapsed}, usually {expected}",
  waiting: "Waiting",
  position: "{n, plural, =0 {Next in line} one {1 proof ahead of yours} other {# proofs ahead of yours}}",
  expected: "{place}, about {time}",
  doneIn: "Done in {time}",
  now: "Now: {stage}",
  finished: "{stage} done",
  stopped: "Stopped at {stage}",
  pay: "Pay {amount}",
  payment: "Payment",
  transaction: "payment transaction",
  cancel: "Cancel",
  cancelFree: "Cancel now and nothing is charged.",
  cancelPaid: "{amount} are paid and do not come back. The proof would be done in seconds.",
  cancelTitle: "Cancel this proof?",
  cancelConfirm: "Cancel proof",
  keepGoing: "Keep going",
  stale:
    "More than 5 minutes have passed since your provider signed. Nothing was paid. Start again for a fresh signature.",
  wrongDomain:
    "You signed in with an address at {has}; here one at {wants} is asked for. Nothing was paid. Start again with the other address.",
  failed: "The proof was not made",
  chainSilent: "The chain that checks the proof does not answer.",
  refused: "The verifier contract does not accept the proof.",
  resume: "Continue",
  paidKept: "Your payment is kept: continuing does not charge again.",
  nothingPaid: "Nothing was paid.",
  sealedSignIn: "You are in. Your seal says what you proved, and nothing else.",
  sealedJoin: "You are a member of {topic}.",
  sealedPending: "The gate is passed. An owner or admin decides on your request.",
  goOn: "Continue",
  paid: "{amount} paid",
  elsewhere:
    "This proof was finished, or given up, in another tab. Nothing more was paid. Start again for another one.",
  expired: "The payment ran out before it was used. Nothing was charged.",
  spent:
    "The prover already has that payment for what you sent the first time, and it pays for nothing else. If no proof could be made of it, the prover keeps the amount as a credit of the paying wallet. Starting again pays anew.",
  inputsNeeded: "The prover needs your part once more",
  inputsNeededDomain:
    "You have paid, but your sign-in was kept nowhere when the tab was closed, as promised. Sign in once more: the same payment is used if the prover has not used it yet, and nothing is charged twice.",
  inputsNeededWallet:
    "You have paid, but the signature was kept nowhere when the tab was closed, as promised. Sign once more: the same payment is used, and nothing is charged twice.",
  identifyAgain: "Sign in once more",
  interrupted: "Another proof is under way in this tab.",
} as const;

export const wallet = {
  development: "Development wallet",
  developmentHint: "A throw-away key in this browser, filled with play money on the local chain.",
  noOffers: "This installation offers no way to pay for a proof.",
  none: "No wallet was found in this browser.",
  noneHint: "Install a wallet extension and reload this page.",
  otherAccount: "{wallet}, another account",
  otherAccountHint:
    "Any account it shares but the vouched-for one: payments are public, and would show whose proof it is.",
  notSeparate:
    "The wallet shares no other account than the vouched-for one, which never pays. Share another account in your wallet, or choose another wallet. Nothing was paid.",
  searching: "Looking for wallets",
  browser: "Your browser wallet asks you to confirm.",
  rejected: "The wallet was closed without signing. Nothing was paid.",
  funding: "Filling the development wallet",
  settledBy: {
    facilitator: "Settled by a facilitator",
    payee: "Settled by the prover",
    gateway: "Settled from a gateway deposit",
  },
  gas: "no gas to pay",
  public:
    "Anyone can see on {chain}, for good, that this wallet paid {amount} for a proof and when, and can guess who joined just after. Use a wallet that nobody knows as yours.",
  on: "on {chain}",
} as const;

/** A paid proof that waits, shown above every page. */
export const paid = {
  title: "A proof you paid for is waiting",
  text: "Going on charges nothing.",
  lateTitle: "A proof you paid for came too late",
  for: {
    signIn: "It was for signing in.",
    join: "It was for joining {topic}.",
    create: "It was for the topic {topic}.",
    relay: "To prove for another device.",
    petition: "It authorises an action.",
  },
  goOn: "Go on with your proof",
  dismiss: "Dismiss",
  tooLate:
    "The one-time code it answers lasts five minutes and has run out, so it cannot be used here any more. What was paid does not come back, unless the proof could not be made: then the prover keeps it as a credit of the paying wallet.",
} as const;
