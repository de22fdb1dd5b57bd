export type { Authenticate, Caller } from "./caller.ts";
export { createHandler, type Handler, type HandlerOptions } from "./handler.ts";
export { openApiDocument } from "./openapi/document.ts";
