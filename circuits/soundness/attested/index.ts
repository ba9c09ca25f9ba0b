import type { Build } from "@/scripts/circuits/constants";
import type { Cases } from "../case";
import { Circuit } from "../circuit";
import { families } from "./families";
import { hintCases } from "./hints";
import { honestCases } from "./honest";
import { Maker } from "./make";
import { listCases, scopeCases } from "./refused-country";
import { digestCases } from "./refused-digest";
import { hashCases } from "./refused-hash";
import { payloadCases } from "./refused-payload";
import { merkleCases, nullifierCases, signatureCases } from "./refused-wallet";
import type { AttestedCircuit } from "./witness";

/** The named cases of one of the three attested circuits. */
export async function attestedCases(circuit: AttestedCircuit, build: Build = "production"): Promise<Cases> {
  const maker = await Maker.of(circuit, build);
  const own = maker.isCountry
    ? await Promise.all([scopeCases(maker), listCases(maker)])
    : [await digestCases(maker)];
  const shared = await Promise.all([
    payloadCases(maker),
    signatureCases(maker),
    merkleCases(maker),
    nullifierCases(maker),
    hashCases(maker),
  ]);
  return {
    honest: await honestCases(maker),
    refused: [...shared, ...own].flat(),
    hints: await hintCases(maker, Circuit.committed(circuit).hints()),
    aliases: [],
    families: await families(maker),
  };
}
