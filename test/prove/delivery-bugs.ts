import type { PlantedBug } from "./bugs.ts";

const outcome = "src/webhooks/outcome.ts";

/** Mistakes that somebody could make in telling of what happened. */
export const deliveryBugs: readonly PlantedBug[] = [
  {
    name: "deliveries are recorded after the outcome, not with it",
    hunter: "hunt.ts",
    changes: [
      {
        file: "src/webhooks/outbox.ts",
        from: "      await storage.write([...operations, ...deliveries]);\n",
        to: "      await storage.write(operations);\n      await storage.write(deliveries);\n",
      },
    ],
  },
  {
    name: "a repeated delivery is made of new bytes",
    hunter: "delivery-hunt.ts",
    changes: [
      {
        file: outcome,
        from: '  return { ...seen, status: "pending", due_at, delivered_at: null };\n',
        to: `  const body = JSON.stringify({ ...JSON.parse(delivery.private.body), created_at: isoTime(endedAt) });
  return { ...seen, status: "pending", due_at, delivered_at: null, private: { body } };
`,
      },
    ],
  },
  {
    name: "a repeated delivery has a new id",
    hunter: "delivery-hunt.ts",
    changes: [
      {
        file: "src/webhooks/send.ts",
        from: '    "Service-Delivery": request.id,\n',
        to: '    "Service-Delivery": [request.id, timestamp].join("-"),\n',
      },
    ],
  },
  {
    name: "whoever held the endpoint goes on recording",
    startAt: "16",
    hunter: "delivery-hunt.ts",
    changes: [
      { file: "src/webhooks/settle.ts", from: "if (endpoint?.epoch !== lease.epoch)", to: "if (endpoint === null)" },
    ],
  },
  {
    name: "one wait is missing: the next attempts come too early",
    hunter: "delivery-hunt.ts",
    changes: [{ file: outcome, from: "[60_000, 300_000, ", to: "[60_000, " }],
  },
  {
    name: "an endpoint is disabled one failed delivery too late",
    hunter: "delivery-hunt.ts",
    changes: [{ file: outcome, from: "const maxFailures = 20;", to: "const maxFailures = 21;" }],
  },
  {
    name: "an alarm claims an endpoint that another process holds",
    hunter: "delivery-hunt.ts",
    changes: [
      {
        file: "src/storage/memory.ts",
        from: ".filter((row) => Number(row.lease_until ?? now) <= now)",
        to: ".filter((row) => id !== undefined || Number(row.lease_until ?? now) <= now)",
      },
    ],
  },
  {
    name: "failed deliveries in a row are counted only up to the next attempt that fails",
    hunter: "delivery-hunt.ts",
    changes: [
      {
        file: outcome,
        from: "endpoint.consecutive_failures + (isOver ? 1 : 0);",
        to: "isOver ? endpoint.consecutive_failures + 1 : 0;",
      },
    ],
  },
];
