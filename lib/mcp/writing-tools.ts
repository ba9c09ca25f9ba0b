import { z } from "zod";
import { ApiError } from "@/lib/client";
import { contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { proofRequirement } from "@/lib/contract/proof-requirement";
import { type Surroundings, tool } from "./tool";
import { commentView, messageView, postView, told } from "./views";

const id = z.uuid();
const markdown = z.string().min(1).max(LIMITS.post.html).describe("Markdown.");

export const writingTools = [
  tool({
    name: "join_topic",
    title: "Join a topic",
    description:
      "Joins, with what the member has proven. Where a proof is missing, the person makes it on a page in their browser; call it again then.",
    input: z.object({ topicId: id }),
    does: "change",
    async run(at, { topicId }, { said, canBeAsked }) {
      if (said === "decline" || said === "cancel") return { joined: false, because: "The person declined." };
      try {
        const { status } = await at.api.callWithStatus(contract.topics.join, { topicId });
        return status === 201 ? { joined: true } : { joined: false, pending: "The topic's staff decide." };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.code === "already_member") return { joined: true };
        if (error.code !== "proof_required") throw error;
        const missing = missingProof(at, topicId, error);
        // Asked once: whoever comes back without the proof is told what is missing.
        return canBeAsked && said === null ? { ask: missing } : { joined: false, ...missing };
      }
    },
  }),
  tool({
    name: "write_post",
    title: "Write a post",
    description: "Posts in a topic the member has joined.",
    input: z.object({
      topicId: id,
      title: z.string().min(1).max(LIMITS.post.title),
      content: markdown,
      tags: z.array(z.string().max(LIMITS.post.tag)).max(LIMITS.post.tags).optional(),
    }),
    does: "add",
    async run({ api, appUrl }, given) {
      const { post } = await api.call(contract.posts.create, { ...given, format: "markdown" });
      return postView(post, appUrl, { isWhole: true });
    },
  }),
  tool({
    name: "write_comment",
    title: "Write a comment",
    description: "Comments on a post, or answers a comment.",
    input: z.object({
      postId: id,
      parentId: id.optional().describe("The comment to answer."),
      content: z.string().min(1).max(LIMITS.comment).describe("Plain text with a little Markdown."),
    }),
    does: "add",
    async run({ api }, given) {
      return commentView((await api.call(contract.comments.create, given)).comment);
    },
  }),
  tool({
    name: "send_message",
    title: "Send a chat message",
    description: "Sends a message to a topic's chat.",
    input: z.object({
      topicId: id,
      message: z.string().min(1).max(LIMITS.chatMessage),
      replyToId: id.optional().describe("The message to answer."),
    }),
    does: "add",
    async run({ api }, given) {
      const { message } = await api.call(contract.chat.send, given);
      return messageView({ ...message, isFolded: false });
    },
  }),
  tool({
    name: "vote",
    title: "Vote",
    description: "Votes for (1) or against (-1) a post or a comment; the same vote again takes it back.",
    input: z.object({ on: z.enum(["post", "comment"]), id, value: z.union([z.literal(1), z.literal(-1)]) }),
    does: "add",
    async run({ api }, { on, id, value }) {
      return on === "post"
        ? await api.call(contract.posts.vote, { postId: id, value })
        : await api.call(contract.comments.vote, { commentId: id, value });
    },
  }),
  tool({
    name: "edit_text",
    title: "Change your text",
    description: "Changes a post, comment or message that the member wrote.",
    input: z.object({
      kind: z.enum(["post", "comment", "message"]),
      id,
      content: markdown,
      title: z.string().min(1).max(LIMITS.post.title).optional().describe("Of a post."),
    }),
    does: "change",
    async run({ api, appUrl }, { kind, id, content, title }) {
      switch (kind) {
        case "post": {
          const changes = { content, format: "markdown", ...(title && { title }) } as const;
          const { post } = await api.call(contract.posts.update, { postId: id, ...changes });
          return postView(post, appUrl, { isWhole: true });
        }
        case "comment":
          return commentView((await api.call(contract.comments.update, { commentId: id, content })).comment);
        case "message": {
          const { message } = await api.call(contract.chat.update, { messageId: id, message: content });
          return messageView({ ...message, isFolded: false });
        }
      }
    },
  }),
  tool({
    name: "delete_text",
    title: "Delete your text",
    description: "Deletes a post, comment or message that the member wrote. It cannot be undone.",
    input: z.object({ kind: z.enum(["post", "comment", "message"]), id }),
    does: "remove",
    async run({ api }, { kind, id }) {
      if (kind === "post") await api.call(contract.posts.delete, { postId: id });
      else if (kind === "comment") await api.call(contract.comments.delete, { commentId: id });
      else await api.call(contract.chat.delete, { messageId: id });
      return { deleted: true };
    },
  }),
];

/** What is missing to join, and the page on which the person proves it. */
function missingProof({ appUrl }: Surroundings, topicId: string, { body, message }: ApiError) {
  const read = proofRequirement.safeParse(body?.proofRequirement);
  const needs = read.success
    ? told({
        proof: read.data.type,
        what: read.data.guide.description,
        domain: read.data.domain,
        allowedCountries: read.data.allowedCountries,
        excludedCountries: read.data.excludedCountries,
        guide: read.data.guideUrl,
      })
    : null;
  return { message, needs, url: `${appUrl}/topics/${topicId}` };
}
