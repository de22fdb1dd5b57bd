import { ok, type SandboxAnswer } from "../exchange.ts";
import { graphRefusal } from "../parts/graph.ts";
import type { Caller, SandboxAccount } from "./accounts.ts";

/** The popular music, in order. The ids exceed JavaScript's safe integers. */
const music = [
  { audio_id: "9007199254740993", title: "Harbour Lights", display_artist: "The Ferrymen" },
  { audio_id: "9007199254740995", title: "Bread and Salt", display_artist: "Alma" },
  { audio_id: "9007199254740997", title: "Slow Harbour", display_artist: null },
];

/** https://developers.facebook.com/docs/instagram-platform/content-publishing/audio-api (2026-06) */
export function listMusic(account: SandboxAccount, { login }: Caller, url: URL): SandboxAnswer {
  if (login === "instagram")
    throw graphRefusal(100, "Unsupported get request. Object with ID 'ig_audio' does not exist");
  const { searchParams } = url;
  if (searchParams.get("user_id") !== account.id) throw graphRefusal(100, "(#100) Invalid parameter: user_id");
  if (searchParams.get("audio_type") !== "music") throw graphRefusal(100, "(#100) Invalid parameter: audio_type");
  const words = (searchParams.get("search_query") ?? "").toLowerCase();
  const audio = music
    .filter(({ title }) => title.toLowerCase().includes(words))
    .map((each) => ({ ...each, audio_type: "music", duration_in_ms: 30_000, download_url: null }));
  return ok({ audio });
}
