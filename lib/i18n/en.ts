/**
 * Every sentence of the interface, in English. Another language is another module of the same shape.
 *
 * Import it as a namespace (`import * as en from "@/lib/i18n/en"`): then a bundle carries only the groups of words
 * that its components use.
 */
export { attested, petition, picker } from "./words/attested";
export { common, docs, nav, problems, profile } from "./words/common";
export { feed, invite, post, topic, topics } from "./words/community";
export { gate, run, seal, signIn, wallet } from "./words/proof";
export { relay } from "./words/relay";
export { composer, newTopic } from "./words/writing";
