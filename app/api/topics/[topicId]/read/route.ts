import { getTopicReading, readTopic } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.reading.topic, getTopicReading);
export const PUT = endpoint(contract.reading.readTopic, readTopic);
export const { POST, PATCH, DELETE } = methodsBesides("GET", "PUT");
