import { createHmac } from "node:crypto";
import type { Hmac } from "./signature.ts";

export const hmacByNode: Hmac = (secret, message) => createHmac("sha256", secret).update(message).digest("hex");
