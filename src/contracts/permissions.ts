export const roles = ["viewer", "agent", "manager", "admin", "integration", "superadmin"] as const;
export type Role = (typeof roles)[number];

export const permissions = [
  "tickets.read",
  "tickets.write",
  "tickets.take",
  "tickets.assign",
  "tickets.events.read",
  "users.read",
  "users.write",
  "services.read",
  "services.write",
  "webhooks.read",
  "webhooks.write",
] as const;
export type Permission = (typeof permissions)[number];

/**
 * How far a permission reaches inside the caller's own enterprise:
 * `own` = objects assigned to the caller, `group` = also those of the caller's groups, `all` = every one.
 */
export type Reach = "own" | "group" | "all";

type Grants = Partial<Record<Permission, Reach>>;

const everything: Grants = Object.fromEntries(permissions.map((p) => [p, "all"]));

const agent: Grants = {
  "tickets.read": "group",
  "tickets.write": "own",
  "tickets.take": "group",
  "tickets.events.read": "own",
};

const manager: Grants = {
  "tickets.read": "group",
  "tickets.write": "group",
  "tickets.take": "group",
  "tickets.assign": "group",
  "tickets.events.read": "group",
  "users.read": "all",
};

const integration: Grants = {
  "tickets.read": "all",
  "tickets.write": "all",
  "tickets.take": "all",
  "tickets.assign": "all",
  "tickets.events.read": "all",
  "webhooks.read": "all",
  "webhooks.write": "all",
};

/** Who may do what. Another enterprise's object is a 404 for every role, whatever stands here. */
export const grantsOfRole: Record<Role, Grants> = {
  viewer: { "tickets.read": "group" },
  agent,
  manager,
  admin: everything,
  integration,
  superadmin: everything,
};
