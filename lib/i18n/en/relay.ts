/** Words of proving on a phone for another device. */

export const relay = {
  use: "Use your phone",
  useHint:
    "When your account or wallet is on another device: that one makes the proof, and this one is signed in.",
  joinHint:
    "When your account or wallet is on another device: that one makes the proof, and you join from here.",
  title: "Go on with your phone",
  scan: "Scan this with the phone's camera, or open the address there.",
  qr: "QR code of the address below",
  address: "Address for the phone",
  code: "Code",
  sameCode: "The phone shows the same code. If it shows another one, close it there.",
  asking: "Making a request.",
  waiting: "Waiting for the phone.",
  answered: "The phone has answered.",
  left: "{minutes, plural, =0 {Less than a minute left.} one {Less than a minute left.} other {# minutes left.}}",
  ranOut: "The request has run out.",
  ranOutText: "A request is good for five minutes, and nothing was used up.",
  failed: "The phone's proof was not accepted.",
  again: "Make a new request",
  close: "Go on on this device instead",
  phoneTitle: "Prove for another device",
  gone: "There is no such request",
  goneText: "Requests are good for five minutes. Make a new one on the other device.",
  asksSignIn: "{client} asks to be signed in as you.",
  asksProof: "{who} asks for a proof, on {client}.",
  asked: "Asked",
  compare: "Compare the codes",
  compareText:
    "The other screen must show this code, and it must be in front of you. If somebody sent you here, or you see another code, close this page: whoever asked would be signed in as you.",
  compareProof:
    "The other screen must show this code, and it must be in front of you. If you see another code, or none, close this page.",
  same: "The codes are the same",
  done: "This request was answered",
  doneText: "Go on on the other device.",
  refused: "This request ended with a proof that was not accepted. Make a new one on the other device.",
  sealed: "The proof is with the other device. Go on there.",
  ending: "The request is about to run out. Make a new one on the other device.",
  impossible: "This proof cannot be made on this installation.",
} as const;
