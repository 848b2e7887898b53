/** Look-ups for other features: agents, groups and services of one enterprise. */
import type { Language } from "../contracts/languages.ts";
import type {
  ConferenceService,
  DirectoryUser,
  TicketColleague,
  TicketService,
} from "../contracts/directory.ts";
import type { Person } from "../contracts/session-events.ts";
import type { PermittedUser } from "../http/authorize.ts";
import { rowsOf, type Queryable } from "../platform/db/pool.ts";
import { enterpriseOfUserSql } from "./identities.ts";
import { sharedRowsOf } from "../platform/db/prepared.ts";
import type { Group } from "./enterprises/model.ts";
import type { ServiceKind } from "./services/model.ts";

type DirectoryUserRow = Person & {
  id: number;
  login: string;
  is_agent: boolean;
  group_ids: number[];
};

const userColumns = `u.id, u.login, u.is_agent, u.email, u.phone, u.firstname, u.lastname,
  coalesce((SELECT json_agg(m.group_id ORDER BY m.group_id) FROM group_members m
    WHERE m.user_id = u.id), '[]') AS group_ids`;

/** An active agent of the enterprise, by login (case-insensitive). */
export function findAgentByLogin(
  db: Queryable,
  enterpriseId: number,
  login: string,
): Promise<DirectoryUser | undefined> {
  return findActiveUser(db, enterpriseId, `${loginSql} AND u.is_agent`, login);
}

/** An active user of the enterprise, agent or not, by login (case-insensitive). */
export function findUserByLogin(
  db: Queryable,
  enterpriseId: number,
  login: string,
): Promise<DirectoryUser | undefined> {
  return findActiveUser(db, enterpriseId, loginSql, login);
}

/** An active user of the enterprise, by the id used in an external system. */
export function findUserByExternalId(
  db: Queryable,
  enterpriseId: number,
  externalId: string,
): Promise<DirectoryUser | undefined> {
  return findActiveUser(db, enterpriseId, externalIdSql, externalId);
}

/** An active user of the enterprise. */
export function findUser(
  db: Queryable,
  enterpriseId: number,
  userId: number,
): Promise<DirectoryUser | undefined> {
  return findActiveUser(db, enterpriseId, "u.id = ?", userId);
}

/** A service as shown to users who cannot administer services. */
export type AvailableService = Readonly<{
  id: number;
  service_key: string;
  name: string;
  kind: ServiceKind;
  ticket_types: readonly string[];
  language: Language | null;
}>;

/**
 * The active ticket service with this key, or else the enterprise's oldest. `button` is its first
 * active entry point.
 */
export async function findServiceForTickets(
  db: Queryable,
  enterpriseId: number,
  serviceKey: string | undefined,
): Promise<TicketService | undefined> {
  const [row] = await sharedRowsOf<{
    id: number;
    service_key: string;
    name: string;
    ticket_types: string[];
    button_id: number;
    reminder_minutes: number | null;
    group_ids: number[];
  }>(
    db,
    `SELECT s.id, s.service_key, s.name, s.ticket_types, b.id AS button_id, s.reminder_minutes,
       coalesce((SELECT json_agg(g.group_id) FROM service_groups g
         WHERE g.service_id = s.id), '[]') AS group_ids
     FROM services s JOIN buttons b ON b.enterprise_id = s.enterprise_id AND b.service_id = s.id
     WHERE s.enterprise_id = ? AND s.kind = 'ticket' AND s.is_active AND b.is_active
       AND (?::text IS NULL OR s.service_key = ?)
     ORDER BY s.id, b.id LIMIT 1`,
    [enterpriseId, serviceKey ?? null, serviceKey ?? null],
  );
  return row === undefined
    ? undefined
    : {
        id: row.id,
        serviceKey: row.service_key,
        name: row.name,
        ticketTypes: row.ticket_types,
        buttonId: row.button_id,
        reminderMinutes: row.reminder_minutes,
        groupIds: row.group_ids,
      };
}

/** The active conference service with this key, or else the enterprise's oldest. */
export async function findServiceForConferences(
  db: Queryable,
  enterpriseId: number,
  serviceKey: string | undefined,
): Promise<ConferenceService | undefined> {
  const [row] = await rowsOf<{
    id: number;
    service_key: string;
    name: string;
    language: string | null;
    reminder_minutes: number | null;
  }>(
    db,
    `SELECT id, service_key, name, language, reminder_minutes FROM services
     WHERE enterprise_id = ? AND kind = 'conference' AND is_active
       AND (?::text IS NULL OR service_key = ?)
     ORDER BY id LIMIT 1`,
    [enterpriseId, serviceKey ?? null, serviceKey ?? null],
  );
  return row === undefined
    ? undefined
    : {
        id: row.id,
        serviceKey: row.service_key,
        name: row.name,
        language: row.language,
        reminderMinutes: row.reminder_minutes,
      };
}

/** Whether the user may work for the service: it has no groups, or the user is in one of them. */
export async function mayWorkForService(
  db: Queryable,
  enterpriseId: number,
  serviceId: number,
  userId: number,
): Promise<boolean> {
  const [row] = await rowsOf<{ may: boolean }>(
    db,
    `SELECT NOT EXISTS (SELECT FROM service_groups WHERE enterprise_id = ? AND service_id = ?)
       OR EXISTS (SELECT FROM service_groups s JOIN group_members m ON m.group_id = s.group_id
         WHERE s.enterprise_id = ? AND s.service_id = ? AND m.user_id = ?) AS may`,
    [enterpriseId, serviceId, enterpriseId, serviceId, userId],
  );
  return row?.may === true;
}

/** These active users as agents see them, and whether they are agents who may serve the service. */
export async function listTicketColleagues(
  db: Queryable,
  { enterpriseId, serviceId }: Readonly<{ enterpriseId: number; serviceId: number }>,
  userIds: readonly number[],
): Promise<TicketColleague[]> {
  const rows = await rowsOf<DirectoryUserRow & { nickname: string; may_serve: boolean }>(
    db,
    `SELECT ${userColumns}, u.nickname,
       NOT EXISTS (SELECT FROM service_groups s WHERE s.enterprise_id = u.enterprise_id
         AND s.service_id = ?)
       OR EXISTS (SELECT FROM service_groups s JOIN group_members m ON m.group_id = s.group_id
         WHERE s.enterprise_id = u.enterprise_id AND s.service_id = ? AND m.user_id = u.id)
       AS may_serve
     FROM users u WHERE u.enterprise_id = ? AND u.is_active AND u.id = ANY(?::bigint[])`,
    [serviceId, serviceId, enterpriseId, [...userIds]],
  );
  return rows
    .map((row) => ({
      id: row.id,
      login: row.login,
      name: `${row.firstname} ${row.lastname}`.trim() || row.nickname || row.login,
      isAgentOfService: row.is_agent && row.may_serve,
      groupIds: row.group_ids,
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name) || a.id - b.id);
}

/** A group by name, or else by id. */
export async function findGroup(
  db: Queryable,
  enterpriseId: number,
  nameOrId: string,
): Promise<Group | undefined> {
  const [row] = await rowsOf<Group>(
    db,
    `SELECT id, name FROM groups WHERE enterprise_id = ? AND (name = ? OR id::text = ?)
     ORDER BY name = ? DESC LIMIT 1`,
    [enterpriseId, nameOrId, nameOrId, nameOrId],
  );
  return row;
}

/** An active user of any enterprise, for settings that contain only a login. */
export async function findUserOfAnyEnterprise(
  db: Queryable,
  login: string,
): Promise<PermittedUser | undefined> {
  const [user] = await rowsOf<PermittedUser>(
    db,
    `SELECT u.enterprise_id AS "enterpriseId", u.id AS "userId", u.role,
       u.account_type AS "accountType", e.solution_enabled AS "hasSolution"
     FROM users u JOIN enterprises e ON e.id = u.enterprise_id
     WHERE ${loginSql} AND u.is_active`,
    [login],
  );
  return user;
}

/** The logins of these users of the enterprise, active or not. */
export async function findLogins(
  db: Queryable,
  enterpriseId: number,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await rowsOf<{ id: number; login: string }>(
    db,
    "SELECT id, login FROM users WHERE enterprise_id = ? AND id = ANY(?::bigint[])",
    [enterpriseId, userIds],
  );
  return new Map(rows.map(({ id, login }) => [id, login]));
}

const loginSql = "lower(u.login) = lower(?)";

const externalIdSql = "u.external_id = ?";

/**
 * All active services available to the user, oldest first: every conference service, and ticket
 * services that have no groups or share a group with the user.
 */
export function listAvailableServices(
  db: Queryable,
  { enterpriseId, groupIds }: Readonly<{ enterpriseId: number; groupIds: readonly number[] }>,
): Promise<AvailableService[]> {
  return rowsOf<AvailableService>(
    db,
    `SELECT s.id, s.service_key, s.name, s.kind, s.ticket_types, s.language FROM services s
     WHERE s.enterprise_id = ? AND s.is_active AND s.deleted_at IS NULL
       AND (s.kind = 'conference'
         OR NOT EXISTS (SELECT FROM service_groups g
              WHERE g.enterprise_id = s.enterprise_id AND g.service_id = s.id)
         OR EXISTS (SELECT FROM service_groups g
              WHERE g.enterprise_id = s.enterprise_id AND g.service_id = s.id
                AND g.group_id = ANY(?::bigint[])))
     ORDER BY s.created_at, s.id`,
    [enterpriseId, [...groupIds]],
  );
}

/** `condition` is one of the constant conditions below, with one placeholder for the value. */
async function findActiveUser(
  db: Queryable,
  enterpriseId: number,
  condition: string,
  value: string | number,
): Promise<DirectoryUser | undefined> {
  // External ids are unique in their enterprise only, and indexed with it.
  const enterpriseSql = condition === externalIdSql ? "u.enterprise_id" : enterpriseOfUserSql;
  const [row] = await sharedRowsOf<DirectoryUserRow>(
    db,
    `SELECT ${userColumns} FROM users u WHERE ${enterpriseSql} = ? AND u.is_active AND ${condition}`,
    [enterpriseId, value],
  );
  return row === undefined ? undefined : toDirectoryUser(row);
}

function toDirectoryUser(row: DirectoryUserRow): DirectoryUser {
  return {
    id: row.id,
    login: row.login,
    displayName: `${row.firstname} ${row.lastname}`.trim(),
    isAgent: row.is_agent,
    groupIds: row.group_ids,
    person: {
      email: row.email,
      phone: row.phone,
      firstname: row.firstname,
      lastname: row.lastname,
    },
  };
}
