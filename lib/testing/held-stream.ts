import { EventEmitter, once } from "node:events";
import type { EventStream, FrameSink } from "@/lib/contract";

/** An event stream that the test controls. */
export class HeldStream extends EventEmitter implements EventStream {
  readonly opened = once(this, "opened").then(([sink]): FrameSink => sink);
  readonly ended = once(this, "ended");
  openings = 0;
  closings = 0;
  open(sink: FrameSink) {
    this.openings += 1;
    this.emit("opened", sink);
  }
  closed() {
    this.closings += 1;
    this.emit("ended");
  }
}

/** The bytes of a frame. */
export const frameOf = (text: string) => new TextEncoder().encode(text);
