import type { Channel } from "../../contracts/invitations.ts";
import type { Language } from "../../contracts/languages.ts";
import type { TemplateKind, VariableName } from "../../contracts/message-templates.ts";
import { type Queryable, rowsOf, type Trx } from "../../platform/db/pool.ts";

/** Values of one message, by the variable's name. */
export type Variables = Readonly<Partial<Record<VariableName, string>>>;

/** A text for one kind, channel and language: built in or customized. */
export type Wording = Readonly<{
  kind: TemplateKind;
  channel: Channel;
  language: Language;
  /** Null for SMS. */
  subject: string | null;
  text: string;
  /** Null: generated from the text. */
  html: string | null;
}>;

/** The texts of one language for one kind. `button` is the label of the link in mails. */
export type BuiltInWording = Readonly<{
  subject: string;
  mail: string;
  sms: string;
  button: string;
}>;

export type BuiltInLanguage = Readonly<Record<TemplateKind, BuiltInWording>>;

/** Joins the paragraphs of a mail. `{{link}}` must be a paragraph of its own. */
export function paragraphs(...texts: string[]): string {
  return texts.join("\n\n");
}

const locales: Readonly<Record<Language, string>> = {
  fr: "fr-FR",
  en: "en-GB",
  es: "es-ES",
  de: "de-DE",
  it: "it-IT",
  nl: "nl-NL",
  pt: "pt-PT",
};

export type DateFormat = Readonly<{ channel: Channel; language: Language; timeZone: string }>;

/** The date in the reader's format and the enterprise's time zone. */
export function formatDay(date: Date, { channel, language, timeZone }: DateFormat): string {
  return replaceNoBreakSpaces(
    new Intl.DateTimeFormat(locales[language], {
      ...dateOptions(channel, language),
      timeZone,
    }).format(date),
  );
}

/** SMS use digits: in some languages, month names force UCS-2. */
function dateOptions(channel: Channel, language: Language): Intl.DateTimeFormatOptions {
  if (channel === "email") {
    return { dateStyle: "long" };
  }
  return language === "en"
    ? { day: "numeric", month: "short", year: "numeric" }
    : { day: "2-digit", month: "2-digit", year: "numeric" };
}

/**
 * Hours and minutes in the enterprise's time zone. A mail names the zone, because its reader may be
 * in another one; an SMS has no room for it.
 */
export function formatTime(date: Date, { channel, language, timeZone }: DateFormat): string {
  return replaceNoBreakSpaces(
    new Intl.DateTimeFormat(locales[language], {
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      ...(channel === "email" ? { timeZoneName: "short" } : {}),
      timeZone,
    }).format(date),
  );
}

/** Non-breaking spaces force UCS-2, which halves the length of an SMS. */
function replaceNoBreakSpaces(text: string): string {
  return text.replaceAll(/[\u00A0\u2009\u202F]/gu, " ");
}

/** The owner of templates: a service or the whole enterprise. */
export type TemplateScope = Readonly<{ enterpriseId: number; serviceId: number | null }>;

export type Template = Wording &
  Readonly<{ id: number; serviceId: number | null; createdAt: Date; modifiedAt: Date }>;

type TemplateRow = {
  id: number;
  service_id: number | null;
  kind: TemplateKind;
  channel: Channel;
  language: Language;
  subject: string | null;
  text: string;
  html: string | null;
  created_at: Date;
  modified_at: Date;
};

const columns =
  "id, service_id, kind, channel, language, subject, text, html, created_at, modified_at";

/** All templates of the scope: at most one per kind, channel and language. */
export async function listTemplates(
  db: Queryable,
  { enterpriseId, serviceId }: TemplateScope,
): Promise<Template[]> {
  const rows = await rowsOf<TemplateRow>(
    db,
    `SELECT ${columns} FROM templates
     WHERE enterprise_id = ? AND service_id IS NOT DISTINCT FROM ?
     ORDER BY kind, channel, language`,
    [enterpriseId, serviceId],
  );
  return rows.map(toTemplate);
}

/** A template of the enterprise in any scope. */
export async function findTemplate(
  db: Queryable,
  enterpriseId: number,
  id: number,
): Promise<Template | undefined> {
  const [row] = await rowsOf<TemplateRow>(
    db,
    `SELECT ${columns} FROM templates WHERE enterprise_id = ? AND id = ?`,
    [enterpriseId, id],
  );
  return row && toTemplate(row);
}

/** The template that applies to a service: its own before the enterprise's. */
export async function findTemplateFor(
  db: Queryable,
  { enterpriseId, serviceId }: TemplateScope,
  wanted: Pick<Wording, "kind" | "channel" | "language">,
): Promise<Template | undefined> {
  const [row] = await rowsOf<TemplateRow>(
    db,
    `SELECT ${columns} FROM templates
     WHERE enterprise_id = ? AND (service_id = ? OR service_id IS NULL)
       AND kind = ? AND channel = ? AND language = ?
     ORDER BY service_id NULLS LAST LIMIT 1`,
    [enterpriseId, serviceId, wanted.kind, wanted.channel, wanted.language],
  );
  return row && toTemplate(row);
}

/** Locks the template of this scope, kind, channel and language. */
export async function lockTemplateAt(
  trx: Trx,
  { enterpriseId, serviceId }: TemplateScope,
  wanted: Pick<Wording, "kind" | "channel" | "language">,
): Promise<Template | undefined> {
  const [row] = await rowsOf<TemplateRow>(
    trx,
    `SELECT ${columns} FROM templates
     WHERE enterprise_id = ? AND service_id IS NOT DISTINCT FROM ?
       AND kind = ? AND channel = ? AND language = ? FOR UPDATE`,
    [enterpriseId, serviceId, wanted.kind, wanted.channel, wanted.language],
  );
  return row && toTemplate(row);
}

/** Upserts the template of its scope, kind, channel and language; an existing one keeps its id. */
export async function putTemplate(
  trx: Trx,
  { enterpriseId, serviceId }: TemplateScope,
  wording: Wording,
  at: Date,
): Promise<Template> {
  const { kind, channel, language, subject, text, html } = wording;
  const [row] = await rowsOf<TemplateRow>(
    trx,
    `INSERT INTO templates (enterprise_id, service_id, kind, channel, language, subject, text, html,
       created_at, modified_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (enterprise_id, (coalesce(service_id, 0)), kind, channel, language)
     DO UPDATE SET subject = excluded.subject, text = excluded.text, html = excluded.html,
       modified_at = excluded.modified_at
     RETURNING ${columns}`,
    [enterpriseId, serviceId, kind, channel, language, subject, text, html, at, at],
  );
  return toTemplate(row as TemplateRow);
}

/** Deletes a template of the scope; undefined if it has none with this id. */
export async function deleteTemplate(
  trx: Trx,
  { enterpriseId, serviceId }: TemplateScope,
  id: number,
): Promise<Template | undefined> {
  const [row] = await rowsOf<TemplateRow>(
    trx,
    `DELETE FROM templates
     WHERE enterprise_id = ? AND service_id IS NOT DISTINCT FROM ? AND id = ?
     RETURNING ${columns}`,
    [enterpriseId, serviceId, id],
  );
  return row && toTemplate(row);
}

function toTemplate(row: TemplateRow): Template {
  return {
    id: row.id,
    serviceId: row.service_id,
    kind: row.kind,
    channel: row.channel,
    language: row.language,
    subject: row.subject,
    text: row.text,
    html: row.html,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  };
}

/** Whether the enterprise has the service. */
export async function hasService(
  db: Queryable,
  enterpriseId: number,
  serviceId: number,
): Promise<boolean> {
  const rows = await rowsOf(
    db,
    "SELECT 1 FROM services WHERE enterprise_id = ? AND id = ? AND deleted_at IS NULL",
    [enterpriseId, serviceId],
  );
  return rows.length > 0;
}

/** The default language of a service, if set. */
export async function findServiceLanguage(
  db: Queryable,
  enterpriseId: number,
  serviceId: number,
): Promise<string | null> {
  const [row] = await rowsOf<{ language: string | null }>(
    db,
    "SELECT language FROM services WHERE enterprise_id = ? AND id = ?",
    [enterpriseId, serviceId],
  );
  return row?.language ?? null;
}
