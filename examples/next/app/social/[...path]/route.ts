import { toNextJsHandler } from "postrider/http/next";
import { handler } from "../../../lib/social";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = toNextJsHandler(handler);
