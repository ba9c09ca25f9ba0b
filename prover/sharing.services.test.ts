import { drivers } from "@/lib/sql/testing";
import { sharing } from "./cases/sharing";
import { sharedStack } from "./testing/shared-stack";

const stack = sharedStack();
for (const driver of drivers) sharing(stack, driver);
