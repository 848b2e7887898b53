/** An administrative change, as the audit log keeps it. It never holds a secret's value. */
export type AuditEntry = Readonly<{
  enterpriseId: number;
  /** Who did it. Null: the platform itself. */
  userId: number | null;
  login: string;
  action: "create" | "update" | "delete" | "rotate" | "revoke" | "reset" | "test";
  object:
    | "user"
    | "enterprise"
    | "service"
    | "group"
    | "domain"
    | "button"
    | "template"
    | "survey"
    | "webhook"
    | "alert"
    | "api_token";
  objectId: number | string;
  /** Field → what it was and what it became; a secret's are `"••••"`. */
  changes: Readonly<Record<string, Readonly<{ from?: unknown; to?: unknown }>>>;
  requestId?: string;
}>;
