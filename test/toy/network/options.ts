import { z } from "zod";
import { documentedObject } from "../../wire/documented-object.ts";

export const options = documentedObject({
  /** Everybody gets a notification of the post. */
  loud: z.boolean().optional().describe("Everybody gets a notification of the post."),
});
