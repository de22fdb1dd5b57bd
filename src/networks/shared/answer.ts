import type * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { LoginContext, NetworkResponse } from "../contract/request.ts";

/** How the answers of a network are read. */
export interface AnswerReader {
  /** @throws PublishingError `network_error` when a success does not hold what its route promises */
  readAnswer<Schema extends z.ZodType>(schema: Schema, response: NetworkResponse): z.infer<Schema>;
  /** The same of what `GET url` answers. */
  getAnswer<Schema extends z.ZodType>(
    schema: Schema,
    context: Pick<LoginContext, "request">,
    url: string,
  ): Promise<z.infer<Schema>>;
}

/** @param name the network, as it writes itself */
export function answersOf(name: string): AnswerReader {
  const reader: AnswerReader = {
    readAnswer(schema, { body }) {
      const parsed = schema.safeParse(body);
      if (parsed.success) return parsed.data;
      throw new PublishingError("network_error", `A response from ${name} could not be read.`);
    },

    async getAnswer(schema, context, url) {
      return reader.readAnswer(schema, await context.request({ method: "GET", url }));
    },
  };
  return reader;
}
