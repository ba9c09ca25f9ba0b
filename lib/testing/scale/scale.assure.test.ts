import { describeScale } from "./suite";

// A million posts, as many comments, and 250,000 rows in every other list.
describeScale({ posts: 1_000_000, avoidScans: false, clock: true });
