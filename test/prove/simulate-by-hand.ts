import type { Visibility } from "../../src/sandbox/mastodon/ways.ts";
import { plainText, similarText } from "../support/marked-texts.ts";
import type { Random } from "./random.ts";
import type { SimulatedProfile, SimulatedWorld } from "./simulate-world.ts";

/** The owner of an account posts past the library: something else, or something like one of these texts. */
export function postByHand(
  world: SimulatedWorld,
  { profile, texts, random }: { profile: SimulatedProfile; texts: readonly string[]; random: Random },
): void {
  const similarTo = texts.length > 0 && random.next() < 0.4 ? random.of(texts) : null;
  const text = similarTo === null ? plainText(random) : similarText(similarTo, random);
  const id = place(world, { profile, text, visibility: random.of(["public", "public", "private", "direct"]) });
  if (id !== null) world.byHand.set(id, { profileId: profile.id, similarTo });
}

/** Null: nothing like that on this network. */
function place(
  { sandbox }: SimulatedWorld,
  { profile, text, visibility }: { profile: SimulatedProfile; text: string; visibility: Visibility },
): string | null {
  const { network, credentials } = profile.body;
  if (network === "mastodon") return sandbox.mastodon.postAs(profile.externalId, { text, visibility });
  if (network !== "discord" || typeof credentials.channel_id !== "string") return null;
  return sandbox.discord.postAs({ channel: credentials.channel_id, text, bot: String(credentials.bot_token) });
}
