/** Words of the choice who makes a proof, and of proofs that are made in the browser. */

export const prover = {
  legend: "Who makes the proof",
  neverUs: "Our own server never receives what the proof is made from.",
  browser: "This browser",
  browserAbout:
    "Nothing it is made from leaves this device, and it costs nothing. Usually {time} here, and up to {size} to fetch the first time.",
  server: "This server's prover",
  serverAbout:
    "It sees what the proof is made from while it works, and keeps none of it. Paid, and done in seconds.",
  own: "My own prover",
  ownAbout: "A prover you run yourself sees what the proof is made from. It names its own price.",
  address: "Address of your prover",
  addressHint: "https, or http on this computer. This page is then allowed to call it.",
  addressWrong:
    "That is not an address this page may call: https://…, or http://localhost:… on this computer.",
  free: "Free",
  freeNote: "No payment and no wallet for it. Keep the page open until the proof is done.",
  ownPrice: "Your prover names its price before any wallet is asked.",
  asking: "Asking your prover for its price",
  noOffer:
    "Your prover offers no way to pay that this installation knows: the token and the chain must be the same.",
  unreachable:
    "Your prover does not answer this page. See that it runs, and that it allows this site among its origins (CORS).",
  switchServer: "Use this server's prover",
  switchHere: "Make it in this browser for free",
  reload: "Reload the page",
  unavailable: {
    development_srs:
      "Not on this installation: its setup data is for development, and a browser takes only the public ceremony's. Choose a prover.",
    not_offered: "Not offered for this proof on this installation. Choose a prover.",
    insecure: "Not over an unencrypted connection. Open this site by https, or choose a prover.",
    no_wasm: "This browser runs no WebAssembly. Choose a prover, or another browser.",
    no_worker: "This browser lacks what it takes. Choose a prover, or a newer browser.",
    memory: "This device has too little memory for this proof. Choose a prover.",
  },
  about: {
    prepare: "This browser fetches its program, the circuit and the points of the public ceremony.",
    witness: "This browser checks that every rule is satisfied.",
    proving: "This browser computes the proof. Other pages may feel slow meanwhile.",
  },
  leaves: {
    prepare: "Leaves this device: nothing. What is fetched is the same for everybody.",
    witness: "Leaves this device: nothing.",
    proving: "Leaves this device: nothing.",
    checking: "Leaves this device: the proof, and nothing it was made from.",
  },
  at: {
    loading: "Program and circuit",
    points: "Points of the ceremony, {percent, number, percent} of {size}",
    key: "The circuit's key, once for this browser",
    threads: "{n, plural, one {On one thread} other {On # threads}}",
  },
  cancelHere: "Cancelling ends the work at once and costs nothing. Going on later begins it anew.",
  problems: {
    development_srs:
      "This installation's setup data is for development: no browser takes it. Use this server's prover.",
    not_offered: "This proof is not made in browsers on this installation. Use this server's prover.",
    insecure:
      "A browser makes proofs on encrypted pages only. Open this site by https, or use this server's prover.",
    no_wasm: "This browser runs no WebAssembly. Use this server's prover.",
    no_worker: "This browser could not start the work. Use this server's prover, or another browser.",
    memory:
      "The memory of this device was not enough. Close other pages and try again, or use this server's prover.",
    points_unavailable:
      "The points of the ceremony could not be fetched. Look at your connection and try again, or use this server's prover.",
    points_wrong:
      "What came in place of the ceremony's points is not them, so it was thrown away. Use this server's prover, and tell whoever runs this site.",
    circuit_unavailable: "The circuit could not be fetched. Reload the page and try again.",
    circuit_changed:
      "What came in place of the circuit is not the one this page was made for, so nothing was made from it. Reload the page; should it stay like this, tell whoever runs this site.",
    key_mismatch:
      "Circuit and points do not give the key that the verifier contract has, so its answer would be no. Use this server's prover, and tell whoever runs this site.",
    unprovable: "No proof can be made from this: it does not satisfy the circuit.",
    result_mismatch: "The proof says something else than was asked, so it was thrown away. Start again.",
    crashed:
      "The work ended by itself, most often for want of memory. Try again, or use this server's prover.",
  },
  keysUnavailable: "The provider's public keys cannot be fetched now. Nothing was sent.",
} as const;
