import type { ErrorRow } from "../../src/networks/contract/errors.ts";
import type { SandboxAnswer } from "../../src/sandbox/exchange.ts";
import type { Scene } from "../networks/scene.ts";
import { scenes } from "../networks/scenes.ts";

/** Statuses under which a network may have acted, whatever the body says. */
export const openStatuses = [302, 408, 409, 499, 500, 502, 503] as const;

/** An answer in the network's own words, for a row of its error table. @default status the row's own, else 400 */
export function answerOf({ refusals }: Scene, row: ErrorRow, status = row.status ?? 400): SandboxAnswer {
  const words = [row.startsWith ?? "", row.contains ?? "", "(words)"].join(" ").trim();
  return refusals.answer({ ...row, status, words });
}

/** The words of refusals under each status that leaves it open, but for those where a row says that this status refuses. */
export function misleadingAnswers(scene: Scene): SandboxAnswer[] {
  const { rows } = scene.adapter().errors;
  const named = new Set(rows.filter(({ effect }) => effect !== "unknown").map(({ status }) => status));
  return rows
    .filter(({ effect, operation }) => effect !== "unknown" && operation === undefined)
    .flatMap((row) =>
      openStatuses.filter((status) => !named.has(status)).map((status) => answerOf(scene, row, status)),
    );
}

const answers = new Map(scenes.map((scene) => [scene.network as string, misleadingAnswers(scene)]));
/** Of a network on which nothing is posted. */
const page: SandboxAnswer = { status: 500, text: "<html>Oops</html>" };

/** One of the network's misleading answers. `place`: which one, from 0 to below 1. */
export function misleadingAnswer(network: string, place: number): SandboxAnswer {
  const known = answers.get(network) ?? [];
  return known[Math.floor(place * known.length)] ?? page;
}
