import { z } from "zod";
import { documentedObject } from "../../wire/documented-object.ts";

export const options = documentedObject({
  /** Everybody is told of the post at once. */
  loud: z.boolean().optional().describe("Everybody is told of the post at once."),
});
