import type { CryptoKey } from "jose";
import type { Hex } from "viem";
import { z } from "zod";
import { circuitIdSchema } from "@/lib/proofs/deployment";
import { hex32Schema } from "@/lib/proofs/hex";
import { seal, unseal } from "@/lib/proofs/sealing";
import type { Execute } from "../circuits/types";
import { sqlRunner } from "../store/boss";
import type { Instances, Peer } from "../store/instances";
import type { PaymentStore } from "../store/payments";
import { Job } from "./job";
import type { HandedOver, ProofLine } from "./line";
import type { Checkpoint, Dispatch, Work } from "./run";

const handedSchema = z.object({
  /** Of the circuit, not of the client: they were checked where the payment was taken. */
  inputs: z.record(z.string(), z.unknown()),
  publicInputs: z.array(hex32Schema),
  startedAt: z.number(),
  paymentMs: z.number(),
});

/** The processes of this installation as places to make proofs. */
export class Dispatcher implements Dispatch {
  constructor(
    readonly deps: {
      instances: Instances;
      payments: PaymentStore;
      line: ProofLine;
      execute: Execute;
      privateKey: CryptoKey;
      /** Milliseconds until a proof that waits here would be done. */
      expectedMs(circuit: string, ahead: number): number;
      checkpoint: Checkpoint;
    },
  ) {}

  async passOn(job: Job, work: Work): Promise<boolean> {
    const { instances, payments, line } = this.deps;
    if (instances.alone) return false;
    const to = leastBusy(await instances.peers(), instances.me);
    if (!to) return false;
    const { prepared, startedAt, paymentMs } = work;
    const handed: z.input<typeof handedSchema> = {
      inputs: prepared.inputs,
      publicInputs: prepared.publicInputs,
      startedAt,
      paymentMs,
    };
    const sealed = await seal(to.publicKey, job.paymentId, handed);
    return await payments.handOver(job.paymentId, instances.me, to.id, (trx) =>
      line.pass(sqlRunner(trx), to.id, { paymentId: job.paymentId, sealed }),
    );
  }

  async run<T>(job: Job, work: () => Promise<T>): Promise<T> {
    const { payments, instances, line, checkpoint } = this.deps;
    const { paymentId } = job;
    await payments.note(paymentId, instances.me, { queued: true });
    await this.tellPosition(job);
    await checkpoint("queued");
    return await line.run(paymentId, async () => {
      await payments.note(paymentId, instances.me, { queued: false });
      return await work();
    });
  }

  /** Tells a job that waits how many are ahead of it, if that has changed. */
  async tellPosition(job: Job): Promise<void> {
    const { payments, expectedMs } = this.deps;
    const found = await payments.find(job.paymentId);
    if (!found?.row.queued_at) return;
    const position = await payments.ahead(found.row);
    const { status, position: told } = job.view();
    if (status === "queued" && told === position) return;
    job.step("queued", { position, expectedMs: expectedMs(job.circuit, position) });
  }

  /**
   * A job that another process passed to this one, ready for its turn.
   * @returns undefined when it is not ours (any more), or is done
   * @throws SealError, WitnessError
   */
  async receive({ paymentId, sealed }: HandedOver): Promise<{ job: Job; work: Work } | undefined> {
    const { payments, instances, execute, privateKey } = this.deps;
    const found = await payments.find(paymentId);
    if (!found || found.row.owner !== instances.me) return undefined;
    const { row } = found;
    if (row.state !== "settled" && row.state !== "credited") return undefined;
    const circuit = circuitIdSchema.parse(row.circuit);
    const { inputs, publicInputs, startedAt, paymentMs } = handedSchema.parse(
      await unseal(privateKey, paymentId, sealed),
    );
    const begun = performance.now();
    const witness = await execute(circuit, inputs);
    return {
      job: new Job(paymentId, circuit, await payments.tokenOf(row)),
      work: {
        row,
        settle: () => Promise.reject(new Error("it is settled")),
        prepared: { inputs, witness, publicInputs },
        startedAt,
        paymentMs,
        witnessMs: performance.now() - begun,
      },
    };
  }

  /** Begins and ends a turn of a job that was passed here. */
  async turn<T>(paymentId: Hex, work: () => Promise<T>): Promise<T> {
    const { payments, instances, line } = this.deps;
    return await line.turn(async () => {
      await payments.note(paymentId, instances.me, { queued: false });
      return await work();
    });
  }
}

/**
 * The process where this job would wait less; undefined when there is none. The job at hand counts for its owner
 * already.
 */
export function leastBusy(peers: readonly Peer[], me: string): Peer | undefined {
  const own = peers.find((peer) => peer.id === me);
  if (!own || own.unfinished <= own.parallel) return undefined;
  const here = own.unfinished / own.parallel;
  const there = (peer: Peer) => (peer.unfinished + 1) / peer.parallel;
  const [best] = peers.filter((peer) => peer.id !== me).sort((a, b) => there(a) - there(b));
  return best && there(best) < here ? best : undefined;
}
