import type { Readers } from "../networks/scene.ts";
import { sceneOf } from "../networks/scenes.ts";
import { plainText, shortText, similarText } from "../support/marked-texts.ts";
import type { Random } from "./random.ts";
import type { SimulatedProfile, SimulatedWorld } from "./simulate-world.ts";

/** The owner of an account posts past the library: something else, or something like one of these texts. */
export function postByHand(
  world: SimulatedWorld,
  { profile, texts, random }: { profile: SimulatedProfile; texts: readonly string[]; random: Random },
): void {
  const similarTo = texts.length > 0 && random.next() < 0.4 ? random.of(texts) : null;
  const text = similarTo === null ? random.of([plainText, shortText])(random) : similarText(similarTo, random);
  const visibility = random.of<Readers>(["public", "public", "private", "direct"]);
  const { externalId, body: connection } = profile;
  const { simulation } = sceneOf(connection.network);
  const id = simulation?.postByHand?.(world.sandbox, { externalId, connection, text, visibility }) ?? null;
  if (id !== null) world.byHand.set(id, { profileId: profile.id, similarTo });
}
