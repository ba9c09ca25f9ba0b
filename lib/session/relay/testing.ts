import type { contract, ResponseBody } from "@/lib/contract";
import type { Answer, Harness, SendOptions } from "@/lib/testing/harness";
import type { ProofBody } from "@/lib/testing/proofs";

type Asked = ResponseBody<typeof contract.auth.createProofRequest>;
type Shown = ResponseBody<typeof contract.auth.getProofRequest>;

/** A proof request as the requesting client has it. */
export interface ProofRequest extends Pick<Asked, "requestId" | "code"> {
  readonly body: unknown;
  readonly setCookie: string;
  /** The cookie header of the requesting client. */
  readonly cookie: string;
}

/** Both devices of the relay, over HTTP. */
export function asks(h: Harness) {
  const send = (method: string, path: string, sent?: SendOptions): Promise<Answer> =>
    h.send(method, path, sent);
  return {
    async ask(sent: SendOptions = {}): Promise<ProofRequest> {
      const { body, headers, status } = await send("POST", "/api/auth/proof-request", sent);
      if (status !== 200) throw new Error(`the request was refused: ${JSON.stringify(body)}`);
      const setCookie = headers.get("set-cookie") ?? "";
      const { requestId, code }: Asked = Object(body);
      return { requestId, code, body, setCookie, cookie: setCookie.split(";")[0] ?? "" };
    },
    /** What the phone sees. */
    async look({ requestId }: ProofRequest): Promise<Shown> {
      return Object((await send("GET", `/api/auth/proof-request/${requestId}`)).body);
    },
    /** The phone's answer. */
    answer: ({ requestId }: ProofRequest, { proof, publicInputs }: ProofBody) =>
      send("POST", `/api/auth/proof-request/${requestId}`, { body: { proof, publicInputs } }),
    /** The requesting client's poll. */
    poll: ({ requestId, cookie }: ProofRequest, query = "") =>
      send("GET", `/api/auth/poll/${requestId}${query}`, { headers: { cookie } }),
  };
}
