import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { Acceptance } from "../networks/contract/acceptance.ts";
import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { ErrorRow } from "../networks/contract/errors.ts";
import type { Published } from "../networks/contract/plan.ts";
import type { Publisher } from "../networks/contract/publish.ts";
import { readRefusal } from "../networks/runtime/error-map.ts";
import type { PublishingCode } from "../wire/errors.ts";
import { followJob } from "./network/job.ts";
import { commitInput, idsIn, isWhole, isWrite, type NetworkCase, secretsOf, stageAll } from "./network/scene.ts";
import { sourcePattern, specContract } from "./network/spec.ts";

/** The options of `networkContract`. */
export interface NetworkContractOptions {
  /** The tested adapter. */
  adapter: NetworkAdapter;
  /** The posts to publish, one at a time. */
  cases: readonly NetworkCase[];
  /** Operations that only read although they are not GET requests. */
  reads?: readonly string[];
}

/** Tests the requirements of every network adapter. Call it inside a vitest file. */
export function networkContract(options: NetworkContractOptions): void {
  const { adapter } = options;
  describe(`${adapter.spec.network} keeps the network contract`, () => {
    specContract(adapter.spec);
    schemaContract(adapter);
    errorContract(adapter);
    const { publish } = adapter;
    if (publish === undefined) return;
    keyContract(publish);
    for (const each of options.cases) publishContract({ ...options, publish, each: withOptions(each, adapter) });
  });
}

/** The case with its part's options parsed, like those of a planned post. */
function withOptions({ create, ...named }: NetworkCase, { options }: NetworkAdapter): NetworkCase {
  return {
    ...named,
    async create() {
      const scene = await create();
      return { ...scene, part: { ...scene.part, options: options.parse(scene.part.options) } };
    },
  };
}

function schemaContract(adapter: NetworkAdapter): void {
  it.each([
    ["option", adapter.options],
    ["credential", adapter.connect.credentials],
  ])("describes every %s", (_, schema) => {
    const { properties } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    const undescribed = Object.entries(properties ?? {}).filter(
      ([, property]) => typeof property === "boolean" || !property.description,
    );
    expect(undescribed.map(([name]) => name)).toEqual([]);
  });

  it("rejects an unknown option", () => {
    expect(adapter.options.safeParse({ no_such_option_here: true }).success).toBe(false);
  });
}

function errorContract({ errors }: NetworkAdapter): void {
  const rows = errors.rows.map((row, index) => ({ row, index, name: rowName(row) }));

  it.each(rows)("reaches the error row $name, which has an effect and a source", ({ row, index }) => {
    expect(row.source).toMatch(sourcePattern);
    expect(row.message).not.toBe("");
    expect(firstRowFor(errors.rows, row)).toBe(index);
  });

  it("requests no reconnection because of a 5xx", () => {
    const asks = new Set<PublishingCode>(["reauthentication_required", "profile_unavailable"]);
    const breaking = rows.filter(({ row: { status = 0, as } }) => status >= 500 && asks.has(as));
    expect(breaking.map(({ name }) => name)).toEqual([]);
  });

  it.each([null, "", "<html>Bad gateway</html>", [], {}, { error: {} }, { errors: [1] }, 7])(
    "reads the unknown error body %j without failing",
    (body) => {
      for (const status of [400, 404, 418, 500, 599]) {
        const refusal = readRefusal({ status, headers: new Headers(), body }, errors, { now: 0 });
        expect(refusal.message).not.toBe("");
        if (status === 599) expect(refusal.effect).toBe("unknown");
      }
    },
  );
}

function keyContract({ key }: Publisher): void {
  if (key === undefined) return;
  const subject = { subjectId: "tgt_contract", createdAt: Date.UTC(2026, 10, 20), part: 0, bodyHash: "9f86d081" };

  it("returns the same key for the same intent, and a different one for another part", () => {
    expect(key(subject)).toBe(key({ ...subject }));
    expect(key({ ...subject, part: 1 })).not.toBe(key(subject));
    expect(key({ ...subject, subjectId: "tgt_other" })).not.toBe(key(subject));
  });
}

function publishContract(options: NetworkContractOptions & { publish: Publisher; each: NetworkCase }): void {
  const { publish, each, reads = [], adapter } = options;

  describe(`with ${each.name}`, () => {
    it("accepts the options that it has listed", async () => {
      const { part } = await each.create();
      expect(adapter.options.parse(part.options)).toEqual(part.options);
    });

    it("stages once, however often it is run", async () => {
      const scene = await each.create();
      await stageAll(publish, scene);
      const kept = structuredClone(scene.staged());
      const before = scene.requests().length;
      await stageAll(publish, scene);
      expect(scene.staged()).toEqual(kept);
      expect(
        scene
          .requests()
          .slice(before)
          .filter((seen) => isWrite(seen, reads)),
      ).toEqual([]);
    });

    it("commits with one request that is the same each time and holds no secret", async () => {
      const scene = await each.create();
      await stageAll(publish, scene);
      const input = deepFreeze(commitInput(publish, scene));
      const request = publish.commit(input);
      expect(publish.commit(structuredClone(input))).toEqual(request);
      for (const secret of secretsOf(scene.secret)) expect(JSON.stringify(request.body)).not.toContain(secret);
    });

    if (each.cannotBeRead) {
      it("is inconclusive before and after the request, and only sends reads", async () => {
        const scene = await each.create();
        await stageAll(publish, scene);
        const input = commitInput(publish, scene);
        const look = () => scene.run(() => publish.lookFor(scene.context, { ...input, since: scene.context.now() }));
        const cannotTell = { cannot_tell: expect.stringMatching(/\S/) };
        expect(await look()).toEqual(cannotTell);
        const { status } = await scene.run(() => scene.send(publish.commit(input)));
        expect(Math.floor(status / 100)).toBe(2);
        const sent = scene.requests().length;
        expect(await look()).toEqual(cannotTell);
        expect(
          scene
            .requests()
            .slice(sent)
            .filter((seen) => isWrite(seen, reads)),
        ).toEqual([]);
      });
    } else if (each.isJob) {
      it("returns a job while the network is processing, and only sends reads until the post is live", async () => {
        await followJob({ publish, scene: await each.create(), reads });
      });
    } else {
      it("finds nothing before the request and the post after it, and only sends reads", async () => {
        const scene = await each.create();
        await stageAll(publish, scene);
        const input = commitInput(publish, scene);
        const look = { ...input, since: scene.context.now() - 120_000 };
        const start = scene.requests().length;
        const empty = await scene.run(() => publish.lookFor(scene.context, look));
        expect(idsIn(empty, publish.textForms(scene.part, 0))).toEqual([]);
        expect(isWhole(empty, publish.textForms(scene.part, 0))).toBe(true);
        const looked = scene.requests().length;
        const accepted = await scene.run(async () => {
          const response = await scene.send(publish.commit(input));
          expect(response.status).toBeGreaterThanOrEqual(200);
          expect(response.status).toBeLessThan(300);
          return publishedIn(publish.accepted(response, input));
        });
        expect(scene.requests().slice(looked)).toHaveLength(1);
        expect(accepted).not.toBeNull();
        const found = await scene.run(() => publish.lookFor(scene.context, look));
        expect(idsIn(found, publish.textForms(scene.part, 0))).toEqual([accepted?.id]);
        const looks = [...scene.requests().slice(start, looked), ...scene.requests().slice(looked + 1)];
        expect(looks.filter((seen) => isWrite(seen, reads))).toEqual([]);
      });
    }

    it("confirms repeatedly, and returns the same post", async () => {
      const scene = await each.create();
      await stageAll(publish, scene);
      const input = commitInput(publish, scene);
      const response = await scene.run(() => scene.send(publish.commit(input)));
      const accepted = publishedIn(publish.accepted(response, input));
      if (accepted === null || publish.confirm === undefined) return;
      const first = await scene.run(async () => publish.confirm?.(scene.context, accepted, input));
      expect(first?.id).toBe(accepted.id);
      await expect(scene.run(async () => publish.confirm?.(scene.context, accepted, input))).resolves.toEqual(first);
    });

    it("returns the external id of the account", async () => {
      const scene = await each.create();
      const identity = await scene.run(() => adapter.connect.inspect(scene.context));
      expect(identity.external_id).toBe(scene.profile.external_id);
    });

    it.each([400, 401, 403, 404, 500])("keeps secrets out of the error of a %d", async (status) => {
      const scene = await each.create();
      const input = commitInput(publish, scene, {});
      scene.faults.add({ kind: "refuse", answer: { status, json: {} }, times: 100 });
      const since = scene.context.now();
      const attempts = [
        () => stageAll(publish, scene),
        () => scene.run(() => adapter.connect.inspect(scene.context)),
        () => scene.run(() => publish.lookFor(scene.context, { ...input, since })),
        () => scene.run(async () => adapter.connect.refresh?.(scene.context)),
      ];
      for (const attempt of attempts) {
        const error = await attempt().then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        for (const secret of secretsOf(scene.secret)) expect(wordsOf(error)).not.toContain(secret);
      }
    });
  });
}

/** The published post of a network that publishes immediately. */
function publishedIn(acceptance: Acceptance | null): Published | null {
  return acceptance !== null && "live" in acceptance ? acceptance.live : null;
}

/** The index of the row that decides for a response that `row` describes. */
function firstRowFor(rows: readonly ErrorRow[], row: ErrorRow): number {
  const numbered = rows.map((each, index) => ({ ...each, message: String(index) }));
  const body = z.object({ codes: z.array(z.string()), message: z.string() });
  const codes = row.code === undefined ? [] : [row.code];
  const answer = { codes, message: `${row.startsWith ?? ""}${row.contains ?? ""}` };
  const response = { status: row.status ?? 400, headers: new Headers(), body: answer };
  const { message } = readRefusal(
    response,
    { body, rows: numbered, rateLimitEnd: () => null },
    { now: 0, operation: row.operation },
  );
  return Number.parseInt(message, 10);
}

function rowName({ operation, status, code, startsWith, contains }: ErrorRow): string {
  return [operation, status, code, startsWith, contains].filter((each) => each !== undefined).join(" ");
}

/** Everything that a log would print of an error. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return [error.message, error.stack, JSON.stringify(error), wordsOf(error.cause)].join("\n");
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  for (const each of Object.values(value)) deepFreeze(each);
  return Object.freeze(value);
}
