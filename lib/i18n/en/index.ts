/** Every sentence of the interface, in English, as ICU messages. Another language is another module of the same shape. */

import { alerts, push } from "./alerts";
import { attested, petition, picker } from "./attested";
import { chat, members } from "./chat";
import { bell, common, docs, nav, problems, profile } from "./common";
import { feed, invite, post, topic, topics, video } from "./community";
import { offline, outbox } from "./offline";
import { gate, paid, run, seal, signIn, wallet } from "./proof";
import { record } from "./records";
import { relay } from "./relay";
import { time } from "./time";
import { composer, newTopic } from "./writing";

export const en = {
  alerts,
  attested,
  bell,
  chat,
  common,
  composer,
  docs,
  feed,
  gate,
  invite,
  members,
  nav,
  newTopic,
  offline,
  outbox,
  paid,
  petition,
  picker,
  post,
  problems,
  profile,
  push,
  record,
  relay,
  run,
  seal,
  signIn,
  time,
  topic,
  topics,
  video,
  wallet,
} as const;
