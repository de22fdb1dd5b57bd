import { formBody, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createJobs, type Job } from "../parts/jobs.ts";
import { formatOf, tellsLength } from "../parts/uploads.ts";
import { refusal } from "./refusal.ts";
import type { PinterestAccount, State } from "./state.ts";

/** Where videos are uploaded to. https://github.com/pinterest/api-description, `MediaUpload` (2025-12) */
export const storeHost = "pinterest-media-upload.s3-accelerate.amazonaws.com";

interface Upload {
  id: string;
  account: string;
  parameters: Readonly<Record<string, string>>;
  /** Null: nothing has been uploaded. */
  job: Job<"failed"> | null;
}

export interface Media {
  register(account: PinterestAccount, body: unknown): SandboxAnswer;
  /** What the store of files answers, which is no Pinterest. */
  receive(request: SandboxRequest): Promise<SandboxAnswer>;
  show(account: PinterestAccount, id: string): SandboxAnswer;
  /** The video can be pinned. @throws Refusal */
  assertReady(account: PinterestAccount, id: string): void;
  /** How many videos were registered. */
  made(): number;
  take(seconds: number): void;
  failNext(): void;
}

export function createMedia(state: State, ports: SandboxPorts): Media {
  const jobs = createJobs<"failed">(ports.clock);
  const uploads = new Map<string, Upload>();

  function find(account: PinterestAccount, id: string): Upload {
    const upload = uploads.get(id);
    if (upload?.account !== account.id) throw refusal(404, 404, "Media upload not found.");
    return upload;
  }

  function statusOf({ job }: Upload): "registered" | "processing" | "succeeded" | "failed" {
    if (job === null) return "registered";
    return jobs.isDone(job) ? (job.failure ?? "succeeded") : "processing";
  }

  return {
    register(account, body) {
      if (JSON.stringify(body) !== '{"media_type":"video"}') throw refusal(400, 1, "Invalid parameters: media_type");
      const id = state.newId();
      const parameters = {
        ...{ "x-amz-date": "20261120T120000Z", "x-amz-signature": `signature-${id}`, "x-amz-security-token": "token" },
        ...{ "x-amz-algorithm": "AWS4-HMAC-SHA256", "x-amz-credential": "key/20261120/us-east-1/s3/aws4_request" },
        ...{ key: `uploads/${id}`, policy: btoa(id), "Content-Type": "multipart/form-data" },
      };
      uploads.set(id, { id, account: account.id, parameters, job: null });
      const json = {
        media_id: id,
        media_type: "video",
        upload_url: `https://${storeHost}/`,
        upload_parameters: parameters,
      };
      return { status: 201, json };
    },
    async receive(request) {
      const denied = (status: number, code: string): SandboxAnswer => ({
        ...{ status, headers: { "content-type": "application/xml" } },
        text: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`,
      });
      if (request.headers.has("authorization")) return denied(400, "InvalidArgument");
      if (!tellsLength(request)) return denied(411, "MissingContentLength");
      const form = await formBody(request);
      const entries = [...(form?.entries() ?? [])];
      const upload = [...uploads.values()].find(({ parameters }) => parameters.key === form?.get("key"));
      const [last, file] = entries.at(-1) ?? [];
      // What stands behind the file is not read.
      if (upload === undefined || last !== "file" || !(file instanceof Blob)) return denied(400, "InvalidArgument");
      const isSigned = Object.entries(upload.parameters).every(([name, value]) => form?.get(name) === value);
      if (!isSigned || entries.length !== Object.keys(upload.parameters).length + 1) return denied(403, "AccessDenied");
      const format = formatOf(new Uint8Array(await file.arrayBuffer()));
      if (format !== "mp4" && format !== "mov") jobs.failNext("failed");
      upload.job = jobs.start();
      return { status: 204 };
    },
    show(account, id) {
      const upload = find(account, id);
      return { status: 200, json: { media_id: id, media_type: "video", status: statusOf(upload) } };
    },
    assertReady(account, id) {
      if (statusOf(find(account, id)) !== "succeeded") throw refusal(400, 1, "The media is not ready.");
    },
    made: () => uploads.size,
    take: jobs.take,
    failNext: () => jobs.failNext("failed"),
  };
}
