/**
 * A collection: its columns, uniques and indexes. Every storage reads this. Fields that are not columns are stored in
 * the row's JSON.
 */
export interface CollectionSchema {
  /** Column → type. All except `id` are nullable. */
  columns: Readonly<Record<string, "text" | "integer">>;
  /** Each unique's columns. It does not apply to rows with null in one of them. */
  uniques: readonly (readonly string[])[];
  /**
   * Queries find, sort and count by these columns, in this order. Columns after `id` are only compared, without reading
   * the row.
   */
  indexes: readonly (readonly string[])[];
}

const claimable = {
  due_at: "integer",
  lease_until: "integer",
  epoch: "integer",
} as const;

/** All collections of a storage, with their columns, uniques and indexes. */
export const collections = {
  keys: {
    columns: { account_id: "text", hash: "text", created_at: "text" },
    uniques: [["hash"]],
    indexes: [
      ["account_id", "created_at", "id"],
      ["created_at", "id"],
    ],
  },
  profiles: {
    columns: {
      account_id: "text",
      network: "text",
      external_id: "text",
      status: "text",
      created_at: "text",
      ...claimable,
    },
    uniques: [["account_id", "network", "external_id"]],
    indexes: [["account_id", "created_at", "id"], ["due_at", "id"], ["lease_until"]],
  },
  connections: {
    columns: {
      account_id: "text",
      status: "text",
      state_hash: "text",
      due_at: "integer",
      created_at: "text",
    },
    uniques: [["state_hash"]],
    indexes: [
      ["account_id", "status", "due_at"],
      ["due_at", "id"],
    ],
  },
  apps: {
    columns: { network: "text", created_at: "text" },
    uniques: [],
    indexes: [["created_at", "id"]],
  },
  app_limits: {
    columns: { network: "text" },
    uniques: [],
    indexes: [],
  },
  grants: {
    columns: { grant_id: "text" },
    uniques: [],
    indexes: [["grant_id", "id"]],
  },
  posts: {
    columns: {
      account_id: "text",
      status: "text",
      scheduled_at: "text",
      due_at: "integer",
      idempotency_key: "text",
      target_networks: "text",
      created_at: "text",
      version: "integer",
    },
    uniques: [["account_id", "idempotency_key"]],
    indexes: [
      ["account_id", "created_at", "id"],
      ["account_id", "status", "created_at", "id"],
      ["account_id", "target_networks", "status", "created_at", "id"],
      ["status", "due_at", "id"],
    ],
  },
  targets: {
    columns: {
      account_id: "text",
      post_id: "text",
      profile_id: "text",
      network: "text",
      status: "text",
      position: "integer",
      due_at: "integer",
      post_status: "text",
      created_at: "text",
    },
    uniques: [["post_id", "profile_id"]],
    indexes: [
      ["profile_id", "due_at"],
      ["profile_id", "status"],
      ["network", "post_id"],
      ["account_id", "network", "post_status", "created_at", "post_id"],
      ["account_id", "profile_id", "post_status", "created_at", "post_id"],
    ],
  },
  intents: {
    columns: {
      profile_id: "text",
      subject_id: "text",
      part: "integer",
      number: "integer",
      state: "text",
      due_at: "integer",
      created_at: "text",
    },
    uniques: [["subject_id", "part", "number"]],
    indexes: [
      ["profile_id", "state"],
      ["due_at", "id"],
    ],
  },
  publications: {
    columns: {
      network: "text",
      external_account_id: "text",
      network_post_id: "text",
      subject_id: "text",
      created_at: "text",
    },
    uniques: [["network", "external_account_id", "network_post_id"]],
    indexes: [["subject_id"]],
  },
  inboxes: {
    columns: {
      account_id: "text",
      profile_id: "text",
      network: "text",
      external_id: "text",
      app_id: "text",
      seq: "integer",
      changed_at: "integer",
      created_at: "text",
      ...claimable,
    },
    uniques: [["profile_id"]],
    indexes: [
      ["account_id", "created_at", "id"],
      ["account_id", "changed_at"],
      ["network", "external_id"],
      ["app_id", "network", "account_id", "id"],
      ["due_at", "id"],
      ["lease_until"],
    ],
  },
  conversations: {
    columns: {
      account_id: "text",
      profile_id: "text",
      network: "text",
      kind: "text",
      status: "text",
      key: "text",
      participant_id: "text",
      unread_count: "integer",
      last_at: "text",
      seq: "integer",
      created_at: "text",
    },
    uniques: [["key", "profile_id"]],
    indexes: [
      ["account_id", "last_at", "id", "status", "kind", "network", "profile_id", "unread_count"],
      ["account_id", "participant_id", "last_at", "id"],
      ["profile_id", "seq"],
    ],
  },
  messages: {
    columns: {
      account_id: "text",
      profile_id: "text",
      conversation_id: "text",
      key: "text",
      direction: "text",
      state: "text",
      author_id: "text",
      sent_at: "text",
      due_at: "integer",
      seq: "integer",
      idempotency_key: "text",
      created_at: "text",
    },
    uniques: [
      ["profile_id", "key"],
      ["idempotency_key", "conversation_id"],
    ],
    indexes: [
      ["conversation_id", "state", "sent_at", "id", "direction"],
      ["profile_id", "seq"],
      ["profile_id", "due_at"],
      ["state", "sent_at", "id"],
    ],
  },
  hook_events: {
    columns: { inbox_id: "text", event_id: "text", state: "text", created_at: "text" },
    uniques: [["inbox_id", "event_id"]],
    indexes: [
      ["inbox_id", "state", "created_at", "id"],
      ["state", "created_at", "id"],
    ],
  },
  pending_updates: {
    columns: { inbox_id: "text", about: "text", digest: "text", created_at: "text" },
    uniques: [["inbox_id", "digest"]],
    indexes: [
      ["inbox_id", "about"],
      ["created_at", "id"],
    ],
  },
  forgotten: {
    columns: { account_id: "text", network: "text", created_at: "text" },
    uniques: [],
    indexes: [["account_id", "created_at", "id"]],
  },
  deletions: {
    columns: { status: "text", created_at: "text" },
    uniques: [],
    indexes: [["status", "created_at", "id"]],
  },
  endpoints: {
    columns: { account_id: "text", status: "text", revision: "integer", created_at: "text", ...claimable },
    uniques: [],
    indexes: [["account_id", "created_at", "id"], ["due_at", "id"], ["lease_until"]],
  },
  deliveries: {
    columns: {
      account_id: "text",
      webhook_id: "text",
      event: "text",
      status: "text",
      attempts: "integer",
      due_at: "integer",
      created_at: "text",
      delivered_at: "text",
      response_status: "integer",
      response_body: "text",
      error: "text",
    },
    uniques: [],
    indexes: [
      ["webhook_id", "created_at", "id"],
      ["webhook_id", "status", "event", "created_at", "id"],
      ["webhook_id", "due_at"],
      ["status", "created_at", "id"],
    ],
  },
  media: {
    columns: {
      account_id: "text",
      status: "text",
      due_at: "integer",
      last_use: "text",
      derivation: "text",
      size_bytes: "integer",
      created_at: "text",
    },
    uniques: [["account_id", "derivation"]],
    indexes: [
      ["account_id", "created_at", "id"],
      ["status", "due_at", "id"],
    ],
  },
  media_uses: {
    columns: { account_id: "text", post_id: "text", media_id: "text", created_at: "text" },
    uniques: [],
    indexes: [["media_id"], ["post_id"]],
  },
  media_accounts: {
    columns: { bytes: "integer", created_at: "text" },
    uniques: [],
    indexes: [],
  },
} as const satisfies Record<string, CollectionSchema>;

/** The name of a collection. */
export type CollectionName = keyof typeof collections;

/** Collections whose rows are processed by one process at a time. */
export const claimableCollections = ["profiles", "inboxes", "endpoints"] as const satisfies readonly CollectionName[];

/** The rows in which the worker looks for due work, by `due_at`. Each has an index in this order. */
export const sweptRows: readonly { collection: CollectionName; where: Readonly<Record<string, string>> }[] = [
  { collection: "posts", where: { status: "scheduled" } },
  ...claimableCollections.map((collection) => ({ collection, where: {} })),
];

/** The column of `targets` that contains the post's id, for `some: { targets }`. */
export const targetsPointBy = "post_id";

/**
 * The columns of a post that its targets repeat, with their names there. Every write of a post's columns also writes
 * its targets', so that posts can be found, ordered and counted by their targets alone.
 */
export const targetsRepeat: Readonly<Record<string, string>> = {
  account_id: "account_id",
  created_at: "created_at",
  status: "post_status",
};

/**
 * The column of a post that lists the values of one column of its targets: each once, sorted, joined by commas. Every
 * write of the targets also writes it, so that posts with any of several values can be counted without duplicates.
 */
export const targetsListed = { column: "target_networks", of: "network" } as const;
