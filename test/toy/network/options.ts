import { z } from "zod";

export const options = z.strictObject({
  loud: z.boolean().optional().describe("Everybody is told of the post at once."),
});
