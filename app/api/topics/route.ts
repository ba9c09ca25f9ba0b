import { createTopic, listTopics } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.topics.list, listTopics);
export const POST = endpoint(contract.topics.create, createTopic);
export const { PUT, PATCH, DELETE } = methodsBesides("GET", "POST");
