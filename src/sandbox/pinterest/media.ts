import { formBody, jsonBody, ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createJobs, type Job } from "../parts/jobs.ts";
import { route } from "../parts/routes.ts";
import { formatOf, tellsLength } from "../parts/uploads.ts";
import type { Logins } from "./logins.ts";
import { refusal } from "./refusal.ts";
import { call, type PinterestAccount, type State } from "./state.ts";

/** The upload host for videos. https://github.com/pinterest/api-description, `MediaUpload` (2025-12) */
export const storeHost = "pinterest-media-upload.s3-accelerate.amazonaws.com";

interface Upload {
  id: string;
  account: string;
  parameters: Readonly<Record<string, string>>;
  /** Null: nothing has been uploaded. */
  job: Job<"failed"> | null;
}

const states = { working: "processing", done: "succeeded", failed: "failed" } as const;

export type Media = ReturnType<typeof createMedia>;

export function createMedia(state: State, logins: Logins, ports: SandboxPorts) {
  const jobs = createJobs<"failed">(ports.clock);
  const uploads: Upload[] = [];

  function statusOf(account: PinterestAccount, id: string): string {
    const upload = uploads.find((each) => each.id === id && each.account === account.id);
    if (upload === undefined) throw refusal(404, 404, "Media upload not found.");
    return upload.job === null ? "registered" : states[jobs.stateOf(upload.job)];
  }

  /** The response of the upload host, which is not Pinterest's API. */
  async function receive(request: SandboxRequest): Promise<SandboxAnswer> {
    if (request.headers.has("authorization")) return denied(400, "InvalidArgument");
    if (!tellsLength(request)) return denied(411, "MissingContentLength");
    const form = await formBody(request);
    const entries = [...(form?.entries() ?? [])];
    const upload = uploads.find(({ parameters }) => parameters.key === form?.get("key"));
    const [last, file] = entries.at(-1) ?? [];
    // Fields after the file are ignored.
    if (upload === undefined || last !== "file" || !(file instanceof Blob)) return denied(400, "InvalidArgument");
    const isSigned = Object.entries(upload.parameters).every(([name, value]) => form?.get(name) === value);
    if (!isSigned || entries.length !== Object.keys(upload.parameters).length + 1) return denied(403, "AccessDenied");
    const format = formatOf(new Uint8Array(await file.arrayBuffer()));
    upload.job = jobs.start(format === "mp4" || format === "mov" ? null : "failed");
    return { status: 204 };
  }

  return {
    routes: [
      call("POST /media", (request) => {
        const account = logins.accountFor(request, "pins:read", "pins:write");
        if (JSON.stringify(jsonBody(request)) !== '{"media_type":"video"}')
          throw refusal(400, 1, "Invalid parameters: media_type");
        const id = state.newId();
        const parameters = {
          "x-amz-date": "20261120T120000Z",
          "x-amz-signature": `signature-${id}`,
          "x-amz-security-token": "token",
          "x-amz-algorithm": "AWS4-HMAC-SHA256",
          "x-amz-credential": "key/20261120/us-east-1/s3/aws4_request",
          key: `uploads/${id}`,
          policy: btoa(id),
          "Content-Type": "multipart/form-data",
        };
        uploads.push({ id, account: account.id, parameters, job: null });
        const upload_url = `https://${storeHost}/`;
        return { status: 201, json: { media_id: id, media_type: "video", upload_url, upload_parameters: parameters } };
      }),
      call("GET /media/:id", (request, id) => {
        const status = statusOf(logins.accountFor(request, "pins:read"), id);
        return ok({ media_id: id, media_type: "video", status });
      }),
      route("POST /store", `POST ${storeHost}/`, receive),
    ],
    /** Checks that the video can be pinned. @throws Refusal */
    assertReady(account: PinterestAccount, id: string): void {
      if (statusOf(account, id) !== "succeeded") throw refusal(400, 1, "The media is not ready.");
    },
    switches: {
      uploads: () => uploads.length,
      processMediaFor: jobs.take,
      failNextMedia: () => jobs.failNext("failed"),
    },
  };
}

function denied(status: number, code: string): SandboxAnswer {
  const text = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`;
  return { status, headers: { "content-type": "application/xml" }, text };
}
