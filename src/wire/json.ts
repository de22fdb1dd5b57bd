/** What every row, wire body and stored value is made of. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** An object of JSON. */
export interface JsonObject {
  [key: string]: Json;
}

/** What a text must not hold: NUL ends a text in some databases' drivers, a lone surrogate has no UTF-8. */
export const unstorableText = /\0|\p{Surrogate}/u;
