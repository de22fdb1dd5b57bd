/** The value of the header `Service-Signature`: `t=<unix seconds>,v1=<hex>`, with one `v1` for each secret in use. */
export interface SignatureHeader {
  /** Unix seconds. */
  timestamp: number;
  /** Lowercase hex of HMAC-SHA256, 64 characters each. */
  signatures: string[];
}

const maxHeaderLength = 4_096;

export function writeHeader({ timestamp, signatures }: SignatureHeader): string {
  return [`t=${timestamp}`, ...signatures.map((hex) => `v1=${hex}`)].join(",");
}

/**
 * Parses the header. Null: unless it has one whole number of seconds and at least one signature, all well-formed.
 * Entries of other schemes are ignored.
 */
export function readHeader(header: string): SignatureHeader | null {
  if (header.length > maxHeaderLength) return null;
  let timestamp: number | null = null;
  const signatures: string[] = [];
  for (const entry of header.split(",")) {
    if (entry === "t" || entry.startsWith("t=")) {
      if (timestamp !== null || !/^t=(?:0|[1-9]\d{0,11})$/.test(entry)) return null;
      timestamp = Number(entry.slice(2));
    } else if (entry === "v1" || entry.startsWith("v1=")) {
      if (!/^v1=[0-9a-f]{64}$/.test(entry)) return null;
      signatures.push(entry.slice(3));
    }
  }
  return timestamp === null || signatures.length === 0 ? null : { timestamp, signatures };
}
