import { contract } from "@/lib/contract";
import { begin, pageOf, registered } from "@/lib/http/oidc/testing";
import { type Example, example } from "../example";
import { leftBy, type World } from "../world";

const { apps } = contract;
const appOf = (world: World) => ({ clientId: leftBy(world, "app") });

/** An app that bob signs in to. */
export const appExamples: readonly Example[] = [
  example(apps.create)({
    as: "ada",
    input: () => ({ name: "Tea club", kind: "server", redirectUris: ["https://tea.example.org/back"] }),
    keep: (world, { app }) => world.keep({ app: app.clientId }),
  }),
  example(apps.list)({ as: "ada" }),
  example(apps.answer)({
    as: "bob",
    async before(world) {
      const bob = await world.h.login("bob");
      const app = await registered(world.h, leftBy(world, "app"), null);
      const begun = await begin(world.h, app, { redirect_uri: "https://tea.example.org/back" });
      const page = await pageOf(world.h, bob, begun);
      world.keep({ "app request": begun.requestId, ticket: page?.ticket ?? "" });
    },
    input: (world) => ({
      appRequestId: leftBy(world, "app request"),
      ...{ ticket: leftBy(world, "ticket"), allow: true },
    }),
  }),
  example(apps.renewSecret)({ as: "ada", input: appOf }),
  example(apps.delete)({ as: "ada", input: appOf }),
];
