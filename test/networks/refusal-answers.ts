import type { NetworkId } from "../../src/networks/contract/limits.ts";
import type { SandboxAnswer } from "../../src/sandbox/exchange.ts";

export type RefusingNetwork = Extract<NetworkId, "bluesky" | "mastodon" | "discord">;

/** What a network says when it refuses: its machine code, where it has such, and its words. */
export interface Said {
  status: number;
  code?: string;
  words: string;
}

/** A refusal as the network writes it. */
export function refusalOf(network: RefusingNetwork, { status, code, words }: Said): SandboxAnswer {
  return { status, json: bodies[network](code, words) };
}

const bodies: Readonly<Record<RefusingNetwork, (code: string | undefined, words: string) => object>> = {
  /** https://atproto.com/specs/xrpc (2026-08) */
  bluesky: (code = "SomethingElse", words) => ({ error: code, message: words }),
  /** https://docs.joinmastodon.org/entities/Error/ (2026-07) */
  mastodon: (_, words) => ({ error: words }),
  /** https://docs.discord.com/developers/reference, "Error Messages" (2026-08) */
  discord: (code = "0", words) => {
    const [number, field] = code.split(" ");
    const errors = { [field ?? "content"]: { _errors: [{ code: "BASE_TYPE_BAD", message: words }] } };
    return { code: Number(number), message: words, ...(field === undefined ? {} : { errors }) };
  },
};

/** How the network says until when its rate limit holds: `header` is its own, `body` is Discord's. */
export function rateLimitedUntil(
  network: RefusingNetwork,
  { now, endsAt }: { now: number; endsAt: number },
): SandboxAnswer {
  const refusal = refusalOf(network, { status: 429, words: "Slow down" });
  const seconds = (endsAt - now) / 1000;
  switch (network) {
    case "bluesky":
      return { ...refusal, headers: { "ratelimit-reset": String(Math.floor(endsAt / 1000)) } };
    case "mastodon":
      return { ...refusal, headers: { "x-ratelimit-reset": new Date(endsAt).toISOString().replace("Z", "000Z") } };
    case "discord":
      return { status: 429, json: { message: "Slow down", retry_after: seconds, global: false } };
  }
}
