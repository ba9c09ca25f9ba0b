import { expect, it } from "vitest";
import type { Topic } from "@/lib/contract";
import { cardVersion, postCard, topicCard } from "./words";

const topic: Topic = {
  id: "00000000-0000-4000-8000-000000000001",
  title: "Acme, among ourselves",
  description: null,
  creatorId: "u",
  requiresCountryProof: false,
  allowedCountries: null,
  excludedCountries: null,
  proofType: "none",
  requiredDomain: null,
  inviteCode: null,
  visibility: "public",
  anonymous: "off",
  requiresApproval: false,
  image: null,
  banner: null,
  score: 0,
  lastActivityAt: "2026-11-26T00:00:00.000Z",
  categoryId: null,
  category: null,
  memberCount: 1,
  postCount: 1,
  reproveDays: null,
  slowModeSeconds: null,
  linksAfterPosts: 0,
  rules: null,
  createdAt: "2026-11-26T00:00:00.000Z",
  updatedAt: "2026-11-26T00:00:00.000Z",
  abilities: [],
};
const gated: Topic = { ...topic, proofType: "workspace", requiredDomain: "acme.example" };
const post = { title: "A letter", authorDomains: [], anonymous: null };

it.each([
  ["an open topic", topicCard(topic), "", null],
  ["a gated topic", topicCard(gated), "Members prove an email address at acme.example.", "domain"],
  ["a post in an open topic", postCard(post, topic), "", null],
  [
    "a post in a gated topic",
    postCard(post, gated),
    "Members prove an email address at acme.example.",
    "domain",
  ],
  [
    "a post whose author shows a domain",
    postCard({ ...post, authorDomains: ["b.example", "c.example"] }, topic),
    "Written by someone at @b.example",
    "domain",
  ],
  [
    "a post by one of the crowd of a gated topic",
    postCard({ ...post, anonymous: { pseudonym: "road concert", crowd: 212, isAuthorOfPost: true } }, gated),
    "Written by one of 212 members",
    "domain",
  ],
] as const)("the card of %s", (_, card, gate, seal) => {
  expect(card).toMatchObject({ gate, seal });
});

it("of a post has another address once its author shows a domain", () => {
  const shown = { ...post, authorDomains: ["b.example"] };
  expect(cardVersion(postCard(shown, topic))).not.toBe(cardVersion(postCard(post, topic)));
});
