import * as z from "zod";

/** Empty: Twitch does not support publishing. */
export const options = z.strictObject({});
