import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { OptionChoice } from "../networks/contract/choices.ts";
import { readableOptions } from "../networks/runtime/readable-choices.ts";
import { NetworkRefusal, toPublishingError } from "../networks/runtime/session.ts";
import { PublishingError, SocialError } from "../wire/errors.ts";
import { listed } from "../wire/nearest.ts";
import { openCredentials } from "./credentials.ts";
import { holdProfile } from "./hold.ts";
import { adapterOf } from "./network.ts";
import type { ProfilePorts } from "./ports.ts";
import type { ProfileRow } from "./rows.ts";

/** Asks the network which values an option may have on this account, or which of them hold the words of `query`. */
export async function readChoices(
  ports: ProfilePorts,
  profile: ProfileRow,
  { option, query }: { option: string; query: string | null },
): Promise<OptionChoice[]> {
  const adapter = adapterOf(ports, profile.network);
  const read = Object.hasOwn(adapter.choices ?? {}, option) ? adapter.choices?.[option] : undefined;
  if (read === undefined) throw noChoices(adapter, option);
  return holdProfile(ports, profile.id, async (held, hold) => {
    if (held.status !== "connected")
      throw new SocialError("conflict", held.status_reason ?? "The profile is disconnected: reconnect it.");
    try {
      const { context, secret } = openCredentials(held, { adapter, hold, ports });
      // What a network only lists is searched here, by what is shown.
      if (typeof read === "function")
        return readableOptions(await read(context), { secret: secret(), words: query ?? "" });
      return readableOptions(await read.search(context, query), { secret: secret(), words: "" });
    } catch (error) {
      const reason = error instanceof NetworkRefusal ? toPublishingError(error) : error;
      if (!PublishingError.is(reason)) throw error;
      throw new SocialError("publish_failed", `${adapter.spec.name} did not return the values. ${reason.message}`, {
        cause: reason,
      });
    }
  });
}

function noChoices({ spec, choices }: NetworkAdapter, option: string): SocialError {
  const names = Object.keys(choices ?? {});
  const known = names.length === 0 ? "no option of it has." : `only ${listed(names, "and")} has.`;
  const message = `"${option.slice(0, 100)}" has no values on ${spec.name} that depend on the account: ${known}`;
  const details = [{ field: "option", network: spec.network, code: "invalid_request" as const, message }];
  return new SocialError("invalid_request", message, { details });
}
