import type { Hex } from "viem";
import { hex32Schema } from "@/lib/proofs/hex";
import { ProverRefusal } from "../../refusal";
import type { PaymentRow } from "../../store/payments";
import { circuit, Process, payment, uncounted } from "./process";
import { World } from "./world";

/** What a client was told. */
interface Answer {
  kind: "proof" | "refused";
  status: number;
  reason: string | undefined;
}

/** Two processes, one payment, and a client who sends it as often as he likes. */
export interface Model {
  /** Sends the paid request; its answer is kept, if one comes. */
  send(process: number, inputs: Record<string, unknown>): void;
  crash(process: number): void;
  stop(process: number): void;
  /** The authorization's time is over. */
  expire(): void;
  /** Old proofs are removed now. */
  retention(): Promise<void>;
  /** Time goes by. */
  pass(ticks: number): Promise<void>;
  /** Nothing fails any more: everybody is restarted, and the client sends until he has an answer that is final. */
  settleDown(inputs: readonly Record<string, unknown>[]): Promise<Answer | undefined>;
  state(): {
    charged: number;
    row: PaymentRow | undefined;
    credit: World["credit"];
    /** Distinct proofs that were given out. */
    given: number;
    answers: readonly Answer[];
  };
}

export function createModel(seed: number): Model {
  const world = new World(seed);
  const answers: Answer[] = [];
  let started = 0;
  const processes: Process[] = [];
  const start = (place: number) => {
    started += 1;
    const process = new Process(`process ${started}`, world, () =>
      processes.filter((other) => other !== process),
    );
    processes[place] = process;
    void process.run();
    return process;
  };
  start(0);
  start(1);

  const send = async (process: Process, inputs: Record<string, unknown>): Promise<Answer | undefined> => {
    const answer = (told: Answer) => {
      answers.push(told);
      return told;
    };
    const given = async (proof: Hex, id: Hex) => {
      if (!(await process.store.markDelivered(id))) {
        return answer({ kind: "refused", status: 500, reason: "credited" });
      }
      world.given.add(proof);
      return answer({ kind: "proof", status: 200, reason: undefined });
    };
    const refused = (refusal: ProverRefusal) =>
      answer({ kind: "refused", status: refusal.status, reason: refusal.details.reason });
    if (process.stopping || !process.alive) return undefined;
    try {
      const admitted = await process.admission.admit({ circuit, inputs, payment, attempt: uncounted });
      if ("proven" in admitted) {
        const { proof, id } = admitted.proven;
        if (!proof) throw new Error("a proven payment has its proof");
        return await given(`0x${proof.slice(2)}`, hex32Schema.parse(id));
      }
      const end = await admitted.job.finished;
      if (end.status === "failed") return refused(end.refusal);
      return await given(end.result.proof, admitted.job.paymentId);
    } catch (error) {
      if (error instanceof ProverRefusal) return refused(error);
      throw error;
    }
  };
  const at = (place: number) => processes[place] ?? start(place);

  return {
    send(place, inputs) {
      const process = at(place);
      // Whoever keeps it running starts it again, sooner or later.
      void send(process.alive || world.dice() < 0.3 ? process : start(place), inputs);
    },
    crash: (place) => at(place).crash(),
    stop: (place) => void at(place).stop(),
    expire() {
      world.expired = true;
      world.pending = false;
    },
    async retention() {
      const [process] = processes.filter((each) => each.alive);
      void process?.store.removeProofs(new Date());
    },
    pass: (ticks) => world.pass(ticks),
    async settleDown(inputs) {
      await world.pass(6);
      world.calm = true;
      for (const place of [0, 1]) {
        if (!at(place).alive || at(place).stopping) start(place);
      }
      await world.pass(8);
      let last: Answer | undefined;
      for (let attempt = 0; attempt < 8; attempt += 1) {
        for (const each of inputs) {
          const answered = send(at(attempt % 2), each);
          for (let waited = 0; waited < 60; waited += 1) {
            const settled = await Promise.race([answered, world.pass(1).then(() => "waiting" as const)]);
            if (settled !== "waiting") {
              last = settled;
              break;
            }
          }
          if (last?.kind === "proof" || last?.status === 402 || last?.reason === "proof_removed") return last;
        }
      }
      return last;
    },
    state: () => ({
      charged: world.charged,
      row: world.row,
      credit: world.credit,
      given: world.given.size,
      answers,
    }),
  };
}
