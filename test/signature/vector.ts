/** A published case of the signature, as `src/signature/vectors.json` holds it. */
export interface Vector {
  name: string;
  secret: string | string[];
  /** The body as text, or its bytes in base64. */
  body: string | { base64: string };
  header: string | null;
  now: number;
  tolerance_seconds?: number;
  /** True: the event is returned. */
  valid: boolean;
}
