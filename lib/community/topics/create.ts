import { randomUUID } from "node:crypto";
import type { Trx } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract, HandlerInput } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { isConsumerDomain } from "@/lib/policy/consumer-domains";
import { countryFields, type Gate, gateCircuit, isWorkspace } from "@/lib/policy/gate";
import { loadCategories } from "../categories/list";
import { topicScore } from "../scores";
import { searchText } from "../text-search";
import { countTopic } from "../trust/accounts";
import { placeImage } from "../uploads/images";
import { claimUploads } from "../uploads/used";
import { consumePass, passGate } from "./gate";
import { newInviteCode } from "./invite-code";
import { loadTopic, topicView } from "./load";
import { assertLive } from "./membership";
import { assertNotSilenced } from "./membership-rules";

type Input = HandlerInput<typeof contract.topics.create>;

/** POST /api/topics: the creator must pass the topic's own gate, and becomes its owner. */
export const createTopic: Handler<typeof contract.topics.create> = async (ctx, input) => {
  const { caller, db } = ctx;
  await assertNotSilenced(db, caller.userId);
  const categories = await loadCategories(db);
  if (!categories.some((category) => category.id === input.categoryId)) {
    throw new Refusal("category_not_found", { field: "categoryId" });
  }
  const gate = gateFrom(input);
  // Nobody could pass a gate without a verifier, not even the creator.
  if (gate && !ctx.deployment.verifiers[gateCircuit(gate.type)]) {
    throw new Refusal("topic_gate_unsupported", { field: "proofType" });
  }
  const pass = gate ? await passGate(ctx, gate, input, { joinUrl: "/api/topics", status: 400 }) : null;
  const image = input.image === undefined ? null : await placeImage(ctx, "topic", input.image, "image");
  const imageKey = image && ctx.storage.keyOf(image);
  const now = ctx.now();
  const { userId } = caller;
  const topicId = await db.transaction().execute(async (trx) => {
    await countTopic(trx, ctx);
    const id = await insertTopic(trx, { input, image, gate, userId, now });
    if (imageKey) await claimUploads(trx, [imageKey], "image");
    await trx
      .insertInto("memberships")
      .values({ topic_id: id, user_id: userId, role: "owner", joined_at: now, proven_at: pass?.provenAt })
      .execute();
    await assertLive(trx, userId);
    await trx
      .insertInto("topic_search")
      .values({
        topic_id: id,
        is_secret: input.visibility === "secret",
        text: searchText(input.title, input.description ?? null),
      })
      .execute();
    if (pass) await consumePass(trx, ctx, pass, { topicId: id, userId, now });
    return id;
  });
  return { topic: topicView(await loadTopic(db, topicId, userId), caller) };
};

/**
 * Returns the gate in a creation body, and refuses fields that are missing for its type or that it would ignore.
 * @throws Refusal invalid_request naming the field, consumer_domain
 */
function gateFrom(input: Input): Gate | null {
  const type = input.proofType ?? (input.requiresCountryProof ? "country" : "none");
  const { allowedCountries, excludedCountries, requiredDomain } = input;
  if (input.requiresCountryProof === false && type === "country") {
    throw invalid("requiresCountryProof", "requiresCountryProof must be true for proofType country.");
  }
  for (const field of ["allowedCountries", "excludedCountries"] as const) {
    if (type !== "country" && input[field]) {
      throw invalid(field, `${field} belongs to topics with a country proof.`);
    }
  }
  if (!isWorkspace(type) && requiredDomain) {
    throw invalid("requiredDomain", "requiredDomain is allowed only with a workspace proof.");
  }
  if (type === "none") return null;
  if (type === "kyc") return { type };
  if (type === "country") {
    if (allowedCountries && excludedCountries) {
      throw invalid("excludedCountries", "Send either allowedCountries or excludedCountries, not both.");
    }
    const countries = allowedCountries ?? excludedCountries;
    if (!countries) {
      throw invalid(
        "allowedCountries",
        "allowedCountries or excludedCountries is required for a country proof.",
      );
    }
    return {
      type,
      permitted: { countries: [...new Set(countries)], included: allowedCountries !== undefined },
    };
  }
  if (!requiredDomain) throw invalid("requiredDomain", "requiredDomain is required for a workspace proof.");
  if (isConsumerDomain(requiredDomain)) throw new Refusal("consumer_domain", { field: "requiredDomain" });
  return { type, requiredDomain };
}

function invalid(field: string, sentence: string): Refusal {
  return new Refusal("invalid_request", { field, message: sentence });
}

interface NewTopic {
  readonly input: Input;
  /** URL of its image. */
  readonly image: string | null;
  readonly gate: Gate | null;
  readonly userId: string;
  readonly now: Date;
}

/** Inserts the row with an unused invite code; of 31^8 codes, the first is almost always unused. */
async function insertTopic(trx: Trx, { input, image, gate, userId, now }: NewTopic): Promise<string> {
  const { allowedCountries, excludedCountries } = countryFields(gate);
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const inserted = await trx
      .insertInto("topics")
      .values({
        id: randomUUID(),
        title: input.title,
        description: input.description || null,
        image,
        creator_id: userId,
        category_id: input.categoryId,
        visibility: input.visibility,
        requires_approval: input.requiresApproval,
        proof_type: gate?.type ?? "none",
        required_domain: gate && "requiredDomain" in gate ? gate.requiredDomain : null,
        allowed_countries: allowedCountries,
        excluded_countries: excludedCountries,
        anonymous: input.anonymous ?? "on",
        invite_code: newInviteCode(),
        member_count: 1,
        score: topicScore({ members: 1, recentPosts: 0, createdAt: now, now }),
        score_at: now,
        last_activity_at: now,
        created_at: now,
        updated_at: now,
      })
      .onConflict((conflict) => conflict.column("invite_code").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (inserted) return inserted.id;
  }
  throw new Error("no unused invite code was found");
}
