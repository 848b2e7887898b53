export const auditActions = [
  "create",
  "update",
  "delete",
  "rotate",
  "revoke",
  "reset",
  "test",
  "watch",
] as const;

export const auditObjects = [
  "user",
  "enterprise",
  "service",
  "group",
  "domain",
  "button",
  "template",
  "survey",
  "webhook",
  "alert",
  "api_token",
  "ticket",
  "conference",
] as const;

/** An entry of the audit log: one administrative change. It never contains a secret's value. */
export type AuditEntry = Readonly<{
  enterpriseId: number;
  /** The author; null for the platform itself. */
  userId: number | null;
  login: string;
  action: (typeof auditActions)[number];
  object: (typeof auditObjects)[number];
  objectId: number | string;
  changes: AuditChanges;
  requestId?: string;
}>;

/** Field → old and new value. Secrets are masked as `"••••"`. */
export type AuditChanges = Readonly<Record<string, Readonly<{ from?: unknown; to?: unknown }>>>;

/** Writes entries in the transaction of the change. The features pass `Trx` of `platform/db/pool`. */
export type AuditLog<Trx> = Readonly<{ write(trx: Trx, entry: AuditEntry): Promise<void> }>;
