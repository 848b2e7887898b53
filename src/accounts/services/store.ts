/** SQL of service administration. Soft-deleted services are never found. */
import type { EntityRef } from "../changes.ts";
import type { Language } from "../../contracts/languages.ts";
import type { RoomBackend } from "../../contracts/rooms.ts";
import type { ServiceRules, Survey } from "../../contracts/directory.ts";
import { rowsOf, type Queryable, type Trx } from "../../platform/db/pool.ts";
import { orderSql, type SortedPage } from "../fields.ts";
import type { Group } from "../enterprises/model.ts";
import { allOf, likePattern, where, countWhere } from "../../platform/db/where.ts";
import type { Service, ServiceKind, ServiceSettings } from "./model.ts";

type ServiceRow = {
  id: number;
  enterprise_id: number;
  name: string;
  kind: ServiceKind;
  service_key: string;
  description: string | null;
  ticket_types: string[];
  is_active: boolean;
  asks_position: boolean;
  not_clicked_minutes: number;
  reminder_minutes: number | null;
  language: Language | null;
  media_retention_days: number;
  room_backend: RoomBackend;
  groups: Group[];
  created_at: Date;
  modified_at: Date;
};

const columns = `s.id, s.enterprise_id, s.name, s.kind, s.service_key, s.description,
  s.ticket_types, s.is_active, s.asks_position, s.not_clicked_minutes,
  s.reminder_minutes, s.language, s.media_retention_days, s.room_backend, s.created_at, s.modified_at,
  coalesce((SELECT json_agg(json_build_object('id', g.id, 'name', g.name) ORDER BY g.name)
    FROM service_groups m JOIN groups g ON g.id = m.group_id WHERE m.service_id = s.id), '[]')
    AS groups`;

export type ServiceFilter = Readonly<{
  serviceKey: string | undefined;
  kind: ServiceKind | undefined;
  search: string | undefined;
}>;

/** One page of the enterprise's services that match, and the total. */
export async function listServices(
  db: Queryable,
  enterpriseId: number,
  filter: ServiceFilter,
  page: SortedPage,
): Promise<{ total: number; services: Service[] }> {
  const { sql, bindings } = allOf([
    { sql: "s.enterprise_id = ? AND s.deleted_at IS NULL", bindings: [enterpriseId] },
    ...where("s.service_key = ?", filter.serviceKey),
    ...where("s.kind = ?", filter.kind),
    ...where("s.name ILIKE ?", likePattern(filter.search)),
  ]);
  const rows = await rowsOf<ServiceRow>(
    db,
    `SELECT ${columns} FROM services s WHERE ${sql} ${orderSql(page, "s")} LIMIT ? OFFSET ?`,
    [...bindings, page.limit, page.offset],
  );
  return {
    total: await countWhere(db, "services s", { sql, bindings }),
    services: rows.map(toService),
  };
}

/**
 * Like `findService`, but locks the enterprise first: that serializes changes of its services, so
 * that a count holds until the commit.
 */
export async function lockService(trx: Trx, ref: EntityRef): Promise<Service | undefined> {
  await rowsOf(trx, "SELECT FROM enterprises WHERE id = ? FOR NO KEY UPDATE", [ref.enterpriseId]);
  return findService(trx, ref);
}

/** A service of the enterprise that is not deleted. */
export async function findService(db: Queryable, ref: EntityRef): Promise<Service | undefined> {
  const [row] = await rowsOf<ServiceRow>(
    db,
    `SELECT ${columns} FROM services s
     WHERE s.enterprise_id = ? AND s.id = ? AND s.deleted_at IS NULL`,
    [ref.enterpriseId, ref.id],
  );
  return row === undefined ? undefined : toService(row);
}

function toService({
  enterprise_id: enterpriseId,
  service_key: serviceKey,
  created_at: created,
  modified_at: modified,
  ...settings
}: ServiceRow): Service {
  return { ...settings, enterpriseId, serviceKey, created, modified };
}

/** Whether another service of the kind is active. */
export async function hasOtherActive(trx: Trx, service: Service): Promise<boolean> {
  const [row] = await rowsOf<{ found: boolean }>(
    trx,
    `SELECT EXISTS (SELECT FROM services
       WHERE enterprise_id = ? AND kind = ? AND is_active AND id <> ?) AS found`,
    [service.enterpriseId, service.kind, service.id],
  );
  return row?.found === true;
}

/** Returns the id. */
export async function insertService(
  trx: Trx,
  service: { enterpriseId: number; kind: ServiceKind; serviceKey: string },
  settings: ServiceSettings,
): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(
    trx,
    `INSERT INTO services (name, description, ticket_types, is_active, asks_position, not_clicked_minutes, reminder_minutes, language, media_retention_days,
       room_backend, enterprise_id, kind, service_key)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    [...valuesOf(settings), service.enterpriseId, service.kind, service.serviceKey],
  );
  if (row === undefined) {
    throw new Error("The service was not stored");
  }
  return row.id;
}

/** Writes every setting of a locked service. */
export async function updateService(
  trx: Trx,
  { enterpriseId, id }: EntityRef,
  settings: ServiceSettings,
): Promise<void> {
  await rowsOf(
    trx,
    `UPDATE services SET name = ?, description = ?, ticket_types = ?, is_active = ?,
       asks_position = ?, not_clicked_minutes = ?, reminder_minutes = ?,
       language = ?, media_retention_days = ?, room_backend = ?, modified_at = now()
     WHERE enterprise_id = ? AND id = ?`,
    [...valuesOf(settings), enterpriseId, id],
  );
}

function valuesOf(settings: ServiceSettings): unknown[] {
  return [
    settings.name,
    settings.description,
    settings.ticket_types,
    settings.is_active,
    settings.asks_position,
    settings.not_clicked_minutes,
    settings.reminder_minutes,
    settings.language,
    settings.media_retention_days,
    settings.room_backend,
  ];
}

/** Replaces the key. The old one stops working at once. */
export async function setServiceKey(
  trx: Trx,
  { enterpriseId, id }: EntityRef,
  serviceKey: string,
): Promise<void> {
  await rowsOf(
    trx,
    "UPDATE services SET service_key = ?, modified_at = now() WHERE enterprise_id = ? AND id = ?",
    [serviceKey, enterpriseId, id],
  );
}

/** Soft delete: tickets and conferences still refer to the service. Deletes its buttons as well. */
export async function deleteService(trx: Trx, { enterpriseId, id }: EntityRef): Promise<void> {
  await rowsOf(
    trx,
    `UPDATE services SET is_active = false, deleted_at = now(), modified_at = now()
     WHERE enterprise_id = ? AND id = ?`,
    [enterpriseId, id],
  );
  await rowsOf(
    trx,
    `UPDATE buttons SET is_active = false, deleted_at = now()
     WHERE enterprise_id = ? AND service_id = ? AND deleted_at IS NULL`,
    [enterpriseId, id],
  );
}

/** What the service of a ticket decides, even if it takes no new tickets any more. */
export async function findServiceRules(
  db: Queryable,
  { enterpriseId, serviceId }: Readonly<{ enterpriseId: number; serviceId: number }>,
): Promise<ServiceRules> {
  const [row] = await rowsOf<ServiceRules>(
    db,
    `SELECT ticket_types AS "ticketTypes", reminder_minutes AS "reminderMinutes" FROM services
     WHERE enterprise_id = ? AND id = ?`,
    [enterpriseId, serviceId],
  );
  return row ?? { ticketTypes: [], reminderMinutes: null };
}

/** Restricts the service to these groups; empty lifts the restriction. Returns unknown ids. */
export async function setServiceGroups(
  trx: Trx,
  { enterpriseId, id }: EntityRef,
  groupIds: readonly number[],
): Promise<number[]> {
  await rowsOf(trx, "DELETE FROM service_groups WHERE enterprise_id = ? AND service_id = ?", [
    enterpriseId,
    id,
  ]);
  const rows = await rowsOf<{ group_id: number }>(
    trx,
    `INSERT INTO service_groups (enterprise_id, service_id, group_id)
     SELECT enterprise_id, ?, id FROM groups WHERE enterprise_id = ? AND id = ANY(?)
     RETURNING group_id`,
    [id, enterpriseId, groupIds],
  );
  const known = new Set(rows.map((row) => row.group_id));
  return groupIds.filter((groupId) => !known.has(groupId));
}

/** Null: the default survey. */
export async function readSurvey(
  db: Queryable,
  { enterpriseId, id }: EntityRef,
): Promise<Survey | null> {
  const [row] = await rowsOf<{ survey: Survey | null }>(
    db,
    "SELECT survey FROM services WHERE enterprise_id = ? AND id = ?",
    [enterpriseId, id],
  );
  return row?.survey ?? null;
}

export async function writeSurvey(
  trx: Trx,
  { enterpriseId, id }: EntityRef,
  survey: Survey,
): Promise<void> {
  await rowsOf(
    trx,
    "UPDATE services SET survey = ?, modified_at = now() WHERE enterprise_id = ? AND id = ?",
    [JSON.stringify(survey), enterpriseId, id],
  );
}
