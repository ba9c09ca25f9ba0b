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
import { pushed } from "./pushed";
import { comment, gallery, own, poll, reaction, share } from "./reading";
import { record } from "./records";
import { relay } from "./relay";
import { search } from "./search";
import { settings } from "./settings";
import {
  editTopic,
  invites,
  log,
  membership,
  moderate,
  proveAgain,
  reason,
  report,
  reports,
  requests,
  rules,
  staff,
} from "./staff";
import { time } from "./time";
import { composer, mention, newTopic } from "./writing";

export const en = {
  alerts,
  attested,
  bell,
  chat,
  comment,
  common,
  composer,
  docs,
  editTopic,
  feed,
  gallery,
  gate,
  invite,
  invites,
  proveAgain,
  log,
  me,
  members,
  membership,
  mention,
  moderate,
  nav,
  newTopic,
  offline,
  outbox,
  own,
  paid,
  petition,
  picker,
  picture,
  poll,
  post,
  problems,
  profile,
  prover,
  push,
  pushed,
  reaction,
  reason,
  record,
  relay,
  report,
  reports,
  requests,
  rules,
  run,
  seal,
  search,
  settings,
  share,
  signIn,
  staff,
  time,
  topic,
  topics,
  video,
  wallet,
  welcome,
} as const;
