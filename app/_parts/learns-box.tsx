import type { Demand } from "@/components/proof/demand";
import { Learns } from "@/components/proof/learns";

/** What this site learns from a proof, for the right column. */
export function LearnsBox({ demand }: { readonly demand: Demand }) {
  return (
    <div className="rounded-sheet border bg-sheet p-4">
      <Learns demand={demand} narrow />
    </div>
  );
}
