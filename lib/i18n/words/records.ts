/** Words of on-chain records. */

export const record = {
  title: "Records",
  record: "Record on-chain",
  lead: "A record puts a fingerprint of this text on a public chain. Whoever has the text can then show that it stood here, unchanged, at that time.",
  own: "Others can record your post; you cannot.",
  tooNew: (minutes: number) =>
    minutes === 1
      ? "Can be recorded in a minute: a post must be an hour old."
      : `Can be recorded in ${minutes} minutes: a post must be an hour old.`,
  already: "You recorded this post.",
  dialogTitle: "Record this post on-chain",
  written: "What is written to the chain",
  writtenText:
    "Four hashes: of the text, of the post’s number here, and two that stand for the author and for you and that only this service can tell apart.",
  notWritten: "What is not",
  notWrittenText: "No text, no name, no address of yours. From the hashes nobody can read the post.",
  after: "What it changes",
  afterText: "The post cannot be edited from then on. A record cannot be taken back by anybody.",
  cost: "What it costs",
  costText: (amount: string, symbol: string, chain: string) =>
    `You pay nothing. This service’s wallet pays the gas on ${chain}: about ${amount} ${symbol} at this moment.`,
  chain: (id: number) => `chain ${id}`,
  costUnknown:
    "You pay nothing: this service’s wallet pays the gas. The chain does not say how much right now.",
  left: (n: number) => (n === 1 ? "You have 1 record left today." : `You have ${n} records left today.`),
  confirm: "Record this post",
  asking: "Asking whether this post can be recorded",
  notAllowed: "This post cannot be recorded now",
  stagesLabel: "Steps of recording",
  stages: {
    sent: "Reserved, and sent to the chain",
    confirmed: "Confirmed by the chain",
  },
  elapsed: (time: string) => `after ${time}`,
  pending:
    "The chain takes longer than usual. The record goes on without you and will stand here once it is confirmed.",
  done: "Recorded. The post cannot be edited any more.",
  failedTitle: "Nothing was recorded",
  failed: (why: string) => `${why} Nothing was kept: no record, none of today’s three used up.`,
  dropped: "The chain did not take the transaction.",
  none: "Nobody has recorded this post.",
  by: "by",
  anonymous: "somebody who has left",
  transaction: "transaction",
  block: (n: string) => `block ${n}`,
  explorer: "Look at it in the explorer",
  match: "Matches the text above",
  mismatch: "Does not match the text above",
  mismatchHint: "The text was another one when it was recorded.",
  edited: "At least one record is of another text than the one above.",
  check: "Check it yourself",
  checkTitle: "Check this record yourself",
  checkLead:
    "Your browser makes the hashes from the text on this page, reads the transaction from the chain and compares. Nothing this site says about the result is used.",
  rpc: "Chain node to ask (RPC)",
  rpcHint: (chain: string) =>
    `Any node of ${chain} gives the same answer. It learns that you ask about this transaction.`,
  badRpc: "Write an address that begins with https://.",
  rpcForbidden:
    "This page may not call that address: its security policy names the ones it may. Run the check elsewhere with the values below.",
  ask: "Compare now",
  asked: (host: string) =>
    `Asked: ${host}, for the receipt of this transaction. Nobody else was asked anything.`,
  anchors:
    "Board and account are those this site names as its own; whoever doubts them compares them with what others know.",
  noAnswer: (host: string) => `${host} did not answer. Nothing is known yet; try another node.`,
  wrongChain: (host: string, found: number, wanted: number) =>
    `${host} is on chain ${found}; the record is on chain ${wanted}.`,
  noEvent:
    "The chain has no such record: there is no such transaction, it failed, or it recorded nothing of this post.",
  columns: { what: "What", here: "From this page", chain: "On the chain" },
  board: "Record board",
  sender: "Sent by this service’s account",
  post: "Number of the post, hashed",
  content: "Text above, hashed",
  equal: "the same",
  different: "different",
  allEqual: "Everything is the same: this text stood here when the record was made.",
  someDifferent: "Not everything is the same. The text above is not what was recorded.",
  recordedAt: (time: string) => `The chain recorded it on ${time}.`,
  feedEmptyTitle: "Nothing has been recorded yet",
  mine: "My records",
  onMine: "My posts that were recorded",
  mineEmpty: "Posts you recorded are listed here. A record shows later that a text stood here, unchanged.",
  onMineEmpty: "When somebody records a post of yours, it is listed here.",
  listsTabs: "Whose records",
  emptyTitle: "No records yet",
  lists: "Recorded posts",
  count: (n: string) => (n === "1" ? "1 record" : `${n} records`),
};
