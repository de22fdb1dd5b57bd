import type { SandboxAnswer, SandboxRequest } from "./exchange.ts";

/** The host that serves the sandbox's media files: `https://media.sandbox.example/<name>`. */
export const mediaHost = "media.sandbox.example";

/** A host for media files, so that posts in the sandbox can have images and videos. */
export interface MediaHost {
  /** Stores `bytes` and returns their URL. */
  put(name: string, bytes: Uint8Array, options?: { contentType?: string }): string;
  /** Responds to a request to the host. */
  answer(request: SandboxRequest): SandboxAnswer;
}

export function createMediaHost(): MediaHost {
  const files = new Map<string, { bytes: Uint8Array; contentType: string }>();
  return {
    put(name, bytes, { contentType = "application/octet-stream" } = {}) {
      files.set(`/${name}`, { bytes, contentType });
      return `https://${mediaHost}/${name}`;
    },
    answer(request) {
      const file = files.get(request.url.pathname);
      if (file === undefined) return { status: 404, text: "no such file" };
      const headers = {
        "content-type": file.contentType,
        "content-length": String(file.bytes.length),
      };
      if (request.method === "HEAD") return { status: 200, headers };
      const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get("range") ?? "");
      if (range === null) return { status: 200, headers, bytes: file.bytes };
      const from = Number(range[1]);
      const to = Math.min(Number(range[2]), file.bytes.length - 1);
      const bytes = file.bytes.slice(from, to + 1);
      return {
        status: 206,
        headers: {
          ...headers,
          "content-length": String(bytes.length),
          "content-range": `bytes ${from}-${to}/${file.bytes.length}`,
        },
        bytes,
      };
    },
  };
}
