import { rowsOf, type Db, type Queryable, type Trx } from "../platform/db/pool.ts";
import { type SecretBox, tryOpen } from "../platform/secret-box.ts";
import type { MessageHeader } from "./message.ts";

export type AckCode = "AA" | "AE" | "AR";

type MessageIdentity = Pick<MessageHeader, "sendingApplication" | "sendingFacility" | "controlId">;

export type MessageKey = MessageIdentity & Readonly<{ enterpriseId: number }>;

export type StoredMessage = MessageKey &
  Readonly<{
    id: number;
    type: string;
    result: AckCode;
    conferenceId: number | null;
    createdAt: Date;
  }>;

/** With the message and answer; each undefined if the platform's key does not decrypt it. */
export type OpenedMessage = StoredMessage &
  Readonly<{ text: string | undefined; ack: string | undefined }>;

type Hl7MessageRow = {
  id: number;
  enterprise_id: number;
  sending_application: string;
  sending_facility: string;
  control_id: string;
  type: string;
  result: AckCode;
  conference_id: number | null;
  created_at: Date;
};

const columns = `id, enterprise_id, sending_application, sending_facility, control_id, type, result,
  conference_id, created_at`;

/**
 * Inserts a message as a lock: a concurrent duplicate waits for the transaction. Returns the id, or
 * undefined for a duplicate. Call `settleMessage` in the same transaction.
 */
export async function claimMessage(
  trx: Trx,
  box: SecretBox,
  message: MessageKey & Readonly<{ type: string; text: string; at: Date }>,
): Promise<number | undefined> {
  const [row] = await rowsOf<{ id: number }>(
    trx,
    `INSERT INTO hl7_messages (enterprise_id, sending_application, sending_facility, control_id,
       type, result, body_sealed, ack_sealed, created_at)
     VALUES (?, ?, ?, ?, ?, 'AE', ?, '', ?)
     ON CONFLICT (enterprise_id, sending_application, sending_facility, control_id) DO NOTHING
     RETURNING id`,
    [
      message.enterpriseId,
      message.sendingApplication,
      message.sendingFacility,
      message.controlId,
      message.type,
      box.seal(message.text, sealContext(message, "message")),
      message.at,
    ],
  );
  return row?.id;
}

export async function settleMessage(
  trx: Trx,
  box: SecretBox,
  settled: MessageKey &
    Readonly<{ id: number; result: AckCode; conferenceId: number | null; ack: string }>,
): Promise<void> {
  await rowsOf(
    trx,
    `UPDATE hl7_messages SET result = ?, conference_id = ?, ack_sealed = ?
     WHERE id = ? AND enterprise_id = ?`,
    [
      settled.result,
      settled.conferenceId,
      box.seal(settled.ack, sealContext(settled, "ack")),
      settled.id,
      settled.enterpriseId,
    ],
  );
}

export function findMessage(
  db: Queryable,
  box: SecretBox,
  { enterpriseId, id }: Readonly<{ enterpriseId: number; id: number }>,
): Promise<OpenedMessage | undefined> {
  return selectOpened(db, box, {
    where: "enterprise_id = ? AND id = ?",
    bindings: [enterpriseId, id],
  });
}

/** The earlier message with the same key. */
export function findByKey(
  db: Queryable,
  box: SecretBox,
  key: MessageKey,
): Promise<OpenedMessage | undefined> {
  return selectOpened(db, box, {
    where: `enterprise_id = ? AND sending_application = ? AND sending_facility = ?
      AND control_id = ?`,
    bindings: [key.enterpriseId, key.sendingApplication, key.sendingFacility, key.controlId],
  });
}

async function selectOpened(
  db: Queryable,
  box: SecretBox,
  { where, bindings }: { where: string; bindings: readonly unknown[] },
): Promise<OpenedMessage | undefined> {
  const [row] = await rowsOf<Hl7MessageRow & { body_sealed: Buffer; ack_sealed: Buffer }>(
    db,
    `SELECT ${columns}, body_sealed, ack_sealed FROM hl7_messages WHERE ${where}`,
    bindings,
  );
  if (row === undefined) {
    return undefined;
  }
  const message = toMessage(row);
  return {
    ...message,
    text: tryOpen(box, row.body_sealed, sealContext(message, "message")),
    ack: tryOpen(box, row.ack_sealed, sealContext(message, "ack")),
  };
}

/** Associated data of the seal: a sealed text can only be opened in its own row. */
function sealContext(key: MessageKey, part: "message" | "ack"): string {
  return [
    `hl7 ${part}`,
    key.enterpriseId,
    key.sendingApplication,
    key.sendingFacility,
    key.controlId,
  ].join("\n");
}

/** One page of an enterprise's messages, newest first, and the total. */
export async function listMessages(
  db: Queryable,
  enterpriseId: number,
  { limit, offset }: Readonly<{ limit: number; offset: number }>,
): Promise<{ total: number; messages: StoredMessage[] }> {
  const [counted] = await rowsOf<{ total: number }>(
    db,
    "SELECT count(*) AS total FROM hl7_messages WHERE enterprise_id = ?",
    [enterpriseId],
  );
  const rows = await rowsOf<Hl7MessageRow>(
    db,
    `SELECT ${columns} FROM hl7_messages WHERE enterprise_id = ?
     ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
    [enterpriseId, limit, offset],
  );
  return { total: counted?.total ?? 0, messages: rows.map(toMessage) };
}

function toMessage(row: Hl7MessageRow): StoredMessage {
  return {
    id: row.id,
    enterpriseId: row.enterprise_id,
    sendingApplication: row.sending_application,
    sendingFacility: row.sending_facility,
    controlId: row.control_id,
    type: row.type,
    result: row.result,
    conferenceId: row.conference_id,
    createdAt: row.created_at,
  };
}

/** Deletes one batch of messages older than `before`. Returns how many. */
export async function removeMessages(
  db: Db,
  { before, limit }: Readonly<{ before: Date; limit: number }>,
): Promise<number> {
  const rows = await rowsOf<{ id: number }>(
    db,
    `DELETE FROM hl7_messages WHERE id IN (SELECT id FROM hl7_messages WHERE created_at < ?
       ORDER BY created_at LIMIT ?) RETURNING id`,
    [before, limit],
  );
  return rows.length;
}

/** The key of the first active conference service that one of these names or keys identifies. */
export async function findServiceKey(
  db: Queryable,
  enterpriseId: number,
  candidates: readonly string[],
): Promise<string | undefined> {
  const [row] = await rowsOf<{ service_key: string }>(
    db,
    `SELECT s.service_key FROM services s
     JOIN unnest(?::text[]) WITH ORDINALITY AS candidate (word, position)
       ON s.service_key = candidate.word OR lower(s.name) = lower(candidate.word)
     WHERE s.enterprise_id = ? AND s.kind = 'conference' AND s.is_active
     ORDER BY candidate.position, s.id LIMIT 1`,
    [[...candidates], enterpriseId],
  );
  return row?.service_key;
}
