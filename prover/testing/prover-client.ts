import type { CircuitId } from "@/lib/proofs/deployment";
import {
  type ChallengeBody,
  challengeBodySchema,
  decodeHeader,
  type Job,
  jobAcceptedSchema,
  jobSchema,
  type PaymentRequirements,
  type ProveResult,
  proveResultSchema,
  proverErrorBodySchema,
  settleResponseSchema,
} from "@/lib/proofs/wire";

export const circuit = "oidc_domain_attestation";

/** One answer, read by the schema of its status. */
export interface Answer {
  status: number;
  headers: Headers;
  /** 200 */
  result?: ProveResult;
  /** 402 */
  challenge?: ChallengeBody;
  /** Any other refusal. */
  error?: { error: string; message: string; reason?: string; field?: string };
  /** 202 */
  jobToken?: string;
  /** Settlement transaction of PAYMENT-RESPONSE. */
  transaction?: string;
}

/** Plain HTTP to a prover. */
export class ProverClient {
  constructor(
    readonly url: string,
    readonly asks: CircuitId = circuit,
    readonly send: typeof fetch = fetch,
  ) {}

  /** The same prover, asked for another circuit. */
  for(asks: CircuitId): ProverClient {
    return new ProverClient(this.url, asks, this.send);
  }

  async post(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await this.send(`${this.url}/api/v1/prove`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    const settled = decodeHeader(settleResponseSchema, response.headers.get("payment-response"));
    const common = { status: response.status, headers: response.headers, transaction: settled?.transaction };
    const json: unknown = await response.json();
    switch (response.status) {
      case 200:
        return { ...common, result: proveResultSchema.parse(json) };
      case 202:
        return { ...common, ...jobAcceptedSchema.parse(json) };
      case 402: {
        const challenge = challengeBodySchema.parse(json);
        return { ...common, challenge, error: challenge };
      }
      default:
        return { ...common, error: proverErrorBodySchema.parse(json) };
    }
  }

  async challenge(): Promise<ChallengeBody> {
    const { challenge } = await this.post({ circuit: this.asks });
    if (!challenge) throw new Error("no challenge");
    return challenge;
  }

  /** The live offer on a network. */
  async offer(network: string): Promise<PaymentRequirements> {
    const offer = (await this.challenge()).accepts.find((each) => each.network === network);
    if (!offer) throw new Error(`no offer on ${network}`);
    return offer;
  }

  async buy(inputs: unknown, header: string, headers: Record<string, string> = {}): Promise<Answer> {
    return await this.post({ circuit: this.asks, inputs }, { "PAYMENT-SIGNATURE": header, ...headers });
  }

  async job(token: string): Promise<Job> {
    const response = await this.send(`${this.url}/api/v1/jobs/${token}`);
    return jobSchema.parse(await response.json());
  }

  /** All events of a job until it ends. */
  async events(token: string): Promise<{ name: string; job: Job }[]> {
    const response = await this.send(`${this.url}/api/v1/jobs/${token}/events`);
    const events = (await response.text()).split("\n\n").filter((part) => part.startsWith("event: "));
    return events.map((part) => {
      const [first = "", second = ""] = part.split("\n");
      return {
        name: first.slice("event: ".length),
        job: jobSchema.parse(JSON.parse(second.slice("data: ".length))),
      };
    });
  }
}
