import { answerOidc } from "@/lib/http/oidc/answer";

export const dynamic = "force-dynamic";

export const GET = answerOidc;
export const OPTIONS = answerOidc;
