/**
 * Every sentence of the interface, in English. Another language is another module of the same shape.
 *
 * Import it as a namespace (`import * as en from "@/lib/i18n/en"`): then a bundle carries only the groups of words
 * that its components use.
 */

export { alerts, push } from "./words/alerts";
export { attested, petition, picker } from "./words/attested";
export { chat, members } from "./words/chat";
export { bell, common, docs, nav, problems, profile } from "./words/common";
export { feed, invite, post, topic, topics } from "./words/community";
export { gate, run, seal, signIn, wallet } from "./words/proof";
export { record } from "./words/records";
export { relay } from "./words/relay";
export { composer, newTopic } from "./words/writing";
