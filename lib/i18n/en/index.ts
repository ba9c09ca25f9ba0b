/** Every sentence of the interface, in English, as ICU messages. Another language is another module of the same shape. */

import { alerts, push } from "./alerts";
import { attested, petition, picker } from "./attested";
import { chat, members } from "./chat";
import { bell, common, docs, nav, problems, profile } from "./common";
import { feed, invite, post, topic, topics, video } from "./community";
import { me, picture, welcome } from "./me";
import { offline, outbox } from "./offline";
import { gate, paid, run, seal, signIn, wallet } from "./proof";
import { prover } from "./provers";
import { record } from "./records";
import { relay } from "./relay";
import { settings } from "./settings";
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
  me,
  members,
  nav,
  newTopic,
  offline,
  outbox,
  paid,
  petition,
  picker,
  picture,
  post,
  problems,
  profile,
  prover,
  push,
  record,
  relay,
  run,
  seal,
  settings,
  signIn,
  time,
  topic,
  topics,
  video,
  wallet,
  welcome,
} as const;
