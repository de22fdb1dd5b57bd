/** The supported actions on messages of one kind: none, read, or read and reply. */
export type InboxAccess = "none" | "read" | "reply";

/** The supported actions on messages of one kind, with the reason. */
export interface ExplainedAccess {
  /** The supported actions. */
  may: InboxAccess;
  /** Why no more is supported and what to do about it, for humans: one or two sentences. Absent: a general reason is shown. */
  why?: string;
}
