export const roles = ["viewer", "agent", "manager", "admin", "integration", "superadmin"] as const;
export type Role = (typeof roles)[number];

/** The roles that administer an enterprise; `integration` is for programs. */
export const administratorRoles: readonly Role[] = ["admin", "superadmin"];

export function isAdministratorRole(role: Role): boolean {
  return administratorRoles.includes(role);
}

export const permissions = [
  "tickets.read",
  "tickets.write",
  "tickets.take",
  "tickets.assign",
  "tickets.transfer",
  "tickets.events.read",
  "conferences.read",
  "conferences.write",
  "conversations.read",
  "conversations.write",
  "rooms.watch",
  "media.read",
  "media.write",
  "media.delete",
  "stats.read",
  "users.read",
  "users.write",
  "services.read",
  "services.write",
  "enterprises.read",
  "enterprises.write",
  "enterprises.create",
  "audit.read",
  "webhooks.read",
  "webhooks.write",
  "messages.read",
  "messages.send",
  "hl7.read",
  "hl7.write",
  "sip.read",
  "platform.read",
] as const;
export type Permission = (typeof permissions)[number];

/**
 * The reach of a permission inside the caller's enterprise: `own` = objects assigned to the caller,
 * `group` = also those of the caller's groups, `all` = every object.
 */
export type Reach = "own" | "group" | "all";

/** The user on whose behalf an operation runs, and the objects of the enterprise it may access. */
export type Scope = Readonly<{
  enterpriseId: number;
  userId: number;
  groupIds: readonly number[];
  reach: Reach;
}>;

type Grants = Partial<Record<Permission, Reach>>;

/**
 * Every permission. Only the platform role creates enterprises and reads the state of the platform.
 */
const everything: Grants = Object.fromEntries(permissions.map((p) => [p, "all"]));
const {
  "enterprises.create": _enterprisesCreate,
  "platform.read": _platformRead,
  ...ofAnEnterprise
} = everything;

const viewer: Grants = {
  "tickets.read": "group",
  "media.read": "group",
};

const agent: Grants = {
  "tickets.read": "group",
  "tickets.write": "own",
  "tickets.take": "group",
  "tickets.transfer": "own",
  "tickets.events.read": "own",
  "conferences.read": "own",
  "conferences.write": "own",
  "conversations.read": "own",
  "conversations.write": "own",
  "media.read": "own",
  "media.write": "own",
  "media.delete": "own",
};

const manager: Grants = {
  "tickets.read": "group",
  "tickets.write": "group",
  "tickets.take": "group",
  "tickets.assign": "group",
  "tickets.transfer": "group",
  "tickets.events.read": "group",
  "conferences.read": "all",
  "conferences.write": "all",
  "conversations.read": "group",
  "conversations.write": "group",
  "rooms.watch": "group",
  "media.read": "group",
  "media.write": "group",
  "media.delete": "group",
  "stats.read": "group",
  "users.read": "all",
};

const integration: Grants = {
  "tickets.read": "all",
  "tickets.write": "all",
  "tickets.take": "all",
  "tickets.assign": "all",
  "tickets.transfer": "all",
  "tickets.events.read": "all",
  "conferences.read": "all",
  "conferences.write": "all",
  "conversations.read": "all",
  "conversations.write": "all",
  "media.read": "all",
  "media.write": "all",
  "media.delete": "all",
  "stats.read": "all",
  "webhooks.read": "all",
  "webhooks.write": "all",
  "messages.read": "all",
  "messages.send": "all",
  "hl7.read": "all",
  "hl7.write": "all",
  "sip.read": "all",
};

/** The permissions of each role. An object of another enterprise is a 404 for every role. */
export const grantsOfRole: Record<Role, Grants> = {
  viewer,
  agent,
  manager,
  admin: ofAnEnterprise,
  integration,
  superadmin: everything,
};
