/** What other slices ask of accounts: agents, groups and services of one enterprise. */
import type { Person } from "../contracts/session-events.ts";
import { rowsOf, type Queryable } from "../platform/db/pool.ts";
import type { DirectoryUser, Group, TicketService } from "./model.ts";

type UserRow = Person & { id: number; login: string; is_agent: boolean; group_ids: number[] };

const userColumns = `u.id, u.login, u.is_agent, u.email, u.phone, u.firstname, u.lastname,
  coalesce((SELECT json_agg(m.group_id ORDER BY m.group_id) FROM group_members m
    WHERE m.user_id = u.id), '[]') AS group_ids`;

const toUser = (row: UserRow): DirectoryUser => ({
  id: row.id,
  login: row.login,
  isAgent: row.is_agent,
  groupIds: row.group_ids,
  person: {
    email: row.email,
    phone: row.phone,
    firstname: row.firstname,
    lastname: row.lastname,
  },
});

/** An active agent of the enterprise, by login whatever its case. */
export const findAgentByLogin = async (
  db: Queryable,
  enterpriseId: number,
  login: string,
): Promise<DirectoryUser | undefined> => {
  const [row] = await rowsOf<UserRow>(
    db,
    `SELECT ${userColumns} FROM users u
     WHERE u.enterprise_id = ? AND lower(u.login) = lower(?) AND u.is_agent AND u.is_active`,
    [enterpriseId, login],
  );
  return row === undefined ? undefined : toUser(row);
};

/** An active user of the enterprise. */
export const findUser = async (
  db: Queryable,
  enterpriseId: number,
  userId: number,
): Promise<DirectoryUser | undefined> => {
  const [row] = await rowsOf<UserRow>(
    db,
    `SELECT ${userColumns} FROM users u WHERE u.enterprise_id = ? AND u.id = ? AND u.is_active`,
    [enterpriseId, userId],
  );
  return row === undefined ? undefined : toUser(row);
};

/**
 * An active service for tickets: the one with the key, else the enterprise's oldest. Its button
 * is its first entry point.
 */
export const findServiceForTickets = async (
  db: Queryable,
  enterpriseId: number,
  serviceKey: string | undefined,
): Promise<TicketService | undefined> => {
  const [row] = await rowsOf<{
    id: number;
    service_key: string;
    name: string;
    ticket_types: string[];
    button_id: number;
  }>(
    db,
    `SELECT s.id, s.service_key, s.name, s.ticket_types, b.id AS button_id
     FROM services s JOIN buttons b ON b.enterprise_id = s.enterprise_id AND b.service_id = s.id
     WHERE s.enterprise_id = ? AND s.kind = 'ticket' AND s.is_active
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
      };
};

/** A group by its name, else by its id. */
export const findGroup = async (
  db: Queryable,
  enterpriseId: number,
  nameOrId: string,
): Promise<Group | undefined> => {
  const [row] = await rowsOf<Group>(
    db,
    `SELECT id, name FROM groups WHERE enterprise_id = ? AND (name = ? OR id::text = ?)
     ORDER BY name = ? DESC LIMIT 1`,
    [enterpriseId, nameOrId, nameOrId, nameOrId],
  );
  return row;
};
