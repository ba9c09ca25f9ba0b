import { common, docs, nav, problems, profile } from "./words/common";
import { feed, invite, post, topic, topics } from "./words/community";
import { gate, run, seal, signIn, wallet } from "./words/proof";
import { composer, newTopic } from "./words/writing";

/** Every sentence of the interface, in English. Another language is another object of this type. */
export const en = {
  common,
  nav,
  problems,
  profile,
  docs,
  feed,
  topics,
  topic,
  invite,
  post,
  composer,
  newTopic,
  seal,
  gate,
  signIn,
  run,
  wallet,
} as const;
export type Catalogue = typeof en;
