import { describe, expect, it } from "vitest";
import type { z } from "zod";
import * as media from "../../src/hosting/schema.ts";
import * as inbox from "../../src/inbox/schema.ts";
import * as keys from "../../src/keys/schema.ts";
import { networkSchema } from "../../src/networks/runtime/schema.ts";
import { createPostSchema, postPlanSchema } from "../../src/planning/schema.ts";
import * as posts from "../../src/posts/schema.ts";
import * as profiles from "../../src/profiles/schema.ts";
import { postSchema } from "../../src/publishing/schema.ts";
import * as webhooks from "../../src/webhooks/schema.ts";
import { scenes } from "../networks/scenes.ts";
import { type Described, describedInSchema, describedInType } from "./described.ts";
import { typedPackage } from "./typed-package.ts";

type Row = [type: string, schema: z.ZodType];

/** The parameters of the verbs, by the type in a host's editor. */
const inputs: Row[] = [
  [`Input<Social["posts"]["create"]>`, createPostSchema],
  [`Input<Social["posts"]["validate"]>`, createPostSchema],
  [`Input<Social["posts"]["update"], 1>`, posts.updatePostSchema],
  [`Input<Social["posts"]["retry"], 1>`, posts.retryPostSchema],
  [`Input<Social["posts"]["list"]>`, posts.listPostsSchema],
  [`Input<Social["profiles"]["connect"]>`, profiles.connectProfileSchema],
  [`Input<Social["profiles"]["list"]>`, profiles.listProfilesSchema],
  [`Input<Social["webhooks"]["create"]>`, webhooks.createEndpointSchema],
  [`Input<Social["webhooks"]["update"], 1>`, webhooks.updateEndpointSchema],
  [`Input<Social["webhooks"]["rotateSecret"], 1>`, webhooks.rotateSecretSchema],
  [`Input<Social["webhooks"]["list"]>`, webhooks.listEndpointsSchema],
  [`Input<Social["webhooks"]["deliveries"]["list"], 1>`, webhooks.listDeliveriesSchema],
  [`Input<Social["keys"]["create"]>`, keys.createKeySchema],
  [`Input<Social["keys"]["list"]>`, keys.listKeysSchema],
  [`Input<Social["media"]["createUpload"]>`, media.createUploadSchema],
  [`Input<Social["media"]["list"]>`, media.listMediaSchema],
  [`Input<Social["inbox"]["conversations"]["list"]>`, inbox.listConversationsSchema],
  [`Input<Social["inbox"]["conversations"]["reply"], 1>`, inbox.replySchema],
];

/** The results of the verbs. */
const outputs: Row[] = [
  [`Output<Social["posts"]["create"]>`, postSchema],
  [`Output<Social["posts"]["list"]>["data"][number]`, postSchema],
  [`Output<Social["posts"]["validate"]>`, postPlanSchema],
  [`Output<Social["profiles"]["connect"]>`, profiles.profileSchema],
  [`Output<Social["webhooks"]["create"]>`, webhooks.createdEndpointSchema],
  [`Output<Social["webhooks"]["get"]>`, webhooks.endpointSchema],
  [`Output<Social["webhooks"]["rotateSecret"]>`, webhooks.secretSchema],
  [`Output<Social["webhooks"]["test"]>`, webhooks.testResultSchema],
  [`Output<Social["webhooks"]["deliveries"]["list"]>["data"][number]`, webhooks.deliverySchema],
  [`Output<Social["keys"]["create"]>`, keys.keySchema],
  [`Output<Social["media"]["upload"]>`, media.hostedMediaSchema],
  [`Output<Social["media"]["createUpload"]>`, media.mediaUploadSchema],
  [`Output<Social["networks"]["list"]>[number]`, networkSchema],
  [`Output<Social["inbox"]["conversations"]["list"]>["data"][number]`, inbox.conversationSchema],
  [`Output<Social["inbox"]["conversations"]["messages"]>["data"][number]`, inbox.messageSchema],
  [`Output<Social["inbox"]["changes"]>`, inbox.changesSchema],
  [`Output<Social["inbox"]["status"]>["data"][number]`, inbox.inboxStatusSchema],
];

const rows = [...inputs, ...outputs];

const host = `
import { createSocialService } from "postrider";
${scenes.map(({ network }) => `import { ${network} } from "postrider/networks/${network}";`).join("\n")}
import { memoryStorage } from "postrider/storage/memory";
const networks = [${scenes.map(({ network }) => `${network}()`).join(", ")}];
const social = createSocialService({ storage: memoryStorage(), networks });
type Input<Verb extends (...given: never[]) => unknown, At extends number = 0> = NonNullable<Parameters<Verb>[At]>;
type Output<Verb extends (...given: never[]) => unknown> = Awaited<ReturnType<Verb>>;
export type Social = typeof social;
${rows.map(([type], index) => `export type Row${index} = ${type};`).join("\n")}
`;

const { service, hostPath, checker, typeNamed } = typedPackage(host);

it("the host's code compiles", () => {
  expect(service.getSemanticDiagnostics(hostPath).map(({ messageText }) => messageText)).toEqual([]);
});

it("an editor shows a comment at every verb, and at every field of its parameters and results", () => {
  const described = describedInType(typeNamed("Social"), checker);
  expect(described.length).toBeGreaterThan(300);
  expect(described.filter(([, docs]) => docs === "")).toEqual([]);
});

const withIo = rows.map(
  ([type, schema], index) => ({ type, schema, index, io: index < inputs.length ? "input" : "output" }) as const,
);

describe.each(withIo)("$type", ({ schema, index, io }) => {
  it("has at every field its schema's description, which the OpenAPI document shows", () => {
    const shown = new Map(describedInType(typeNamed(`Row${index}`), checker));
    const described = describedInSchema(schema, io);
    expect(described).not.toEqual([]);
    expect(described.map(([path]): Described => [path, shown.get(path) ?? ""])).toEqual(described);
  });
});
