import * as auth from "./auth";
import { listCategories } from "./categories";
import { createComment } from "./comments";
import type { OperationSpec } from "./operation";
import { createPost, feed, getPost, listPosts, vote } from "./posts";
import { setNickname } from "./profile";
import { guide, health, openapi, ready } from "./service";
import { createTopic, getInvite, getTopic, joinByInvite, joinTopic, listTopics } from "./topics";

/** Every operation of the REST API, by resource. */
export const contract = {
  auth: {
    challenge: auth.challenge,
    verify: auth.verify,
    session: auth.getSession,
    logout: auth.logout,
    refresh: auth.refresh,
    devLogin: auth.devLogin,
  },
  profile: { setNickname },
  categories: { list: listCategories },
  topics: {
    create: createTopic,
    list: listTopics,
    get: getTopic,
    join: joinTopic,
    getInvite,
    joinByInvite,
  },
  posts: { list: listPosts, create: createPost, get: getPost, vote },
  comments: { create: createComment },
  feed: { list: feed },
  service: { health, ready, openapi, guide },
} as const;

/** The same as a flat list, for OpenAPI and tests. */
export const operations: readonly OperationSpec[] = Object.values(contract).flatMap((group) =>
  Object.values<OperationSpec>(group),
);

export type { Category } from "./categories";
export type { Comment } from "./comments";
export type { Role } from "./common";
export type { ErrorBody, ErrorCode } from "./errors";
export * from "./operation";
export type { Poll, Post } from "./posts";
export type { ProofGuide, ProofRequirement, ProofType } from "./proof-requirement";
export type { Topic, TopicListItem } from "./topics";
