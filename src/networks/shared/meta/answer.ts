import type { z } from "zod";
import { PublishingError } from "../../../wire/errors.ts";
import type { NetworkResponse } from "../../contract/request.ts";

/**
 * What a success holds.
 *
 * @param name as the network writes itself
 * @throws PublishingError `network_error` when it does not hold what its route promises
 */
export function readGraphAnswer<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  response: Pick<NetworkResponse, "body">,
): z.infer<Schema> {
  const parsed = schema.safeParse(response.body);
  if (parsed.success) return parsed.data;
  throw new PublishingError("network_error", `An answer of ${name}'s could not be read.`);
}
