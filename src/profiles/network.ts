import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { NetworkId } from "../networks/contract/network-id.ts";
import { type ErrorDetail, SocialError } from "../wire/errors.ts";
import { withRemedy } from "../wire/remedy.ts";
import type { ProfilePorts } from "./ports.ts";

/** @throws SocialError `invalid_request` naming the network that the service lacks */
export function adapterOf(ports: ProfilePorts, network: NetworkId): NetworkAdapter {
  const adapter = ports.adapter(network);
  if (adapter === undefined) {
    const message = withRemedy(
      `This service does not have the network ${network}.`,
      "Add its adapter to the networks of createSocialService.",
    );
    throw new SocialError("invalid_request", message, { details: [{ field: "network", message }] });
  }
  return adapter;
}

/** A network whose every post has a file that it fetches itself is of no use to a service that it cannot fetch from. */
export async function refuseUnreachable({ pullProblem }: ProfilePorts, { spec }: NetworkAdapter): Promise<void> {
  const { min_items = 0, types } = spec.media;
  if (min_items === 0 || !types.every(({ pulled }) => pulled === true)) return;
  const problem = await pullProblem(null);
  if (problem === null) return;
  const message = `${spec.name} fetches files by URL, and ${problem}.`;
  throw new SocialError("unsupported", message, { details: [{ field: "network", network: spec.network, message }] });
}

/** What is wrong with the network that a request names. */
export function wrongNetwork(ports: ProfilePorts, body: unknown): ErrorDetail[] {
  if (typeof body !== "object" || body === null) return [];
  const message = ports.networkRefusal((body as { network?: unknown }).network);
  return message === null ? [] : [{ field: "network", message, code: "invalid_request" }];
}
