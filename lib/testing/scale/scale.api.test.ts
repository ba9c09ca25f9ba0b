import { describeScale } from "./suite";

// The short form of scale.assure.test.ts.
describeScale({ posts: 20_000, avoidScans: true, clock: false });
