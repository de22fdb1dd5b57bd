export type * from "./adapter.ts";
export type * from "./spec.ts";
