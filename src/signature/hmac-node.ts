import { createHmac } from "node:crypto";
import type { Hmac } from "./signature.ts";

export const hmacByNode: Hmac = (secret, start, body) =>
  createHmac("sha256", secret).update(start).update(body).digest("hex");
