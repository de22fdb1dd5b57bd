import * as z from "zod";
import { type ErrorDetail, SocialError } from "../wire/errors.ts";
import { parseInput } from "../wire/parse.ts";
import { maxDetails } from "../wire/parse-issue.ts";
import { refuseBytes } from "./bytes.ts";
import type { PostPorts } from "./ports.ts";

/**
 * Parses like `parseInput`, for bodies with overrides by network. Only the service's networks may have overrides, and a
 * detail about one also names its network.
 *
 * @throws SocialError `invalid_request` with one detail per field
 */
export function parsePost<Schema extends z.ZodType>(
  ports: Pick<PostPorts, "networkRefusal">,
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  refuseBytes(body);
  const overridden = Object.keys(overridesSchema.safeParse(body).data?.networks ?? {});
  try {
    return parseInput(schema, body, { found: unknownNetworks(ports, overridden) });
  } catch (error) {
    if (!SocialError.is(error)) throw error;
    const known = overridden.filter((network) => ports.networkRefusal(network) === null);
    const details = error.details.map((detail) => {
      const network = known.find((each) => `${detail.field}.`.startsWith(`networks.${each}.`));
      return network === undefined ? detail : { ...detail, network };
    });
    throw new SocialError(error.code, error.message, { details });
  }
}

const overridesSchema = z.object({ networks: z.record(z.string(), z.unknown()) });

function unknownNetworks(ports: Pick<PostPorts, "networkRefusal">, overridden: readonly string[]): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  for (const network of overridden) {
    if (details.length >= maxDetails) break;
    const message = ports.networkRefusal(network);
    if (message !== null) details.push({ field: `networks.${network}`, message, code: "invalid_request" });
  }
  return details;
}
