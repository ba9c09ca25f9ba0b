import { answerOidc } from "@/lib/http/oidc/answer";

export const GET = answerOidc;
export const POST = answerOidc;
export const OPTIONS = answerOidc;
