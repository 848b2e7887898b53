/**
 * The fields of a ticket that clients set, one row each. Bodies, answers, columns, types and
 * parsing are derived from this table. The rows are in the order of the API description.
 */
import { languages } from "../contracts/languages.ts";
import { invalidParameter } from "../contracts/problems.ts";
import { textFormats } from "../http/fields/formats.ts";
import type { JsonSchema } from "../http/route.ts";
import {
  emailField,
  integer,
  nullableText,
  oneLine,
  phoneField,
  text,
  type ValueOf,
} from "../http/schema.ts";
import { orNull } from "../http/values.ts";
import { parseEmail, parsePhone } from "../platform/contact.ts";

type TicketBody = "create" | "change" | "request";

/** The answer to a create, a single ticket, an item of the list. */
type TicketAnswer = "created" | "single" | "item";

type AnswerMember = Readonly<{ schema: JsonSchema; read: (fields: FieldValues) => unknown }>;

type FieldRow = Readonly<{
  /** Column of the table `tickets`. */
  column: string;
  bodies: readonly TicketBody[];
  answers: readonly TicketAnswer[];
  input: JsonSchema;
  /** The schema in a change, if it differs. */
  changeInput?: JsonSchema;
}>;

const everyBody = ["create", "change", "request"] as const;

const byStaff = ["create", "change"] as const;

const everyAnswer = ["created", "single", "item"] as const;

export const ticketFields = {
  email: requestorField("requestor_email", { ...emailField, type: ["string", "null"] }, parseMail),
  phone: requestorField("requestor_phone", { ...phoneField, type: ["string", "null"] }, parseCall),
  reference: textField({
    column: "reference",
    bodies: byStaff,
    answers: everyAnswer,
    input: line(255),
  }),
  name: nullableField({
    column: "name",
    bodies: everyBody,
    answers: ["created", "single"],
    input: nullableLine(128),
  }),
  firstname: requestorField("requestor_firstname", nullableLine(128)),
  lastname: requestorField("requestor_lastname", nullableLine(128)),
  company: requestorField("requestor_company", nullableLine(128)),
  language: nullableField({
    column: "language",
    bodies: everyBody,
    answers: ["single"],
    input: { type: "string", enum: languages },
    changeInput: { type: ["string", "null"], enum: [...languages, null] },
  }),
  subject: nullableField({
    column: "subject",
    bodies: everyBody,
    answers: everyAnswer,
    input: nullableLine(255),
  }),
  type: textField({
    column: "type",
    bodies: byStaff,
    answers: everyAnswer,
    input: line(64),
  }),
  description: nullableField({
    column: "description",
    bodies: everyBody,
    answers: everyAnswer,
    input: { type: ["string", "null"], maxLength: 5_000 },
  }),
  priority: integerField(2, {
    column: "priority",
    bodies: byStaff,
    answers: ["single"],
    input: { type: "integer", minimum: 1, maximum: 4 },
  }),
};

type FieldTable = typeof ticketFields;

type FieldName = keyof FieldTable;

type FieldValue<Name extends FieldName> = ReturnType<FieldTable[Name]["parse"]>;

type RequestorField = {
  [Name in FieldName]: FieldTable[Name] extends { isRequestor: true } ? Name : never;
}[FieldName];

type OwnField = Exclude<FieldName, RequestorField>;

/** The customer of a ticket. At least one of `email` and `phone` is set. */
export type Requestor = { readonly [Name in RequestorField]: FieldValue<Name> };

/** The values of all rows. */
type FieldValues = { readonly [Name in OwnField]: FieldValue<Name> } & Readonly<{
  requestor: Requestor;
}>;

/** What clients set and change. */
export type TicketFields = FieldValues & Readonly<{ startTime: Date; endTime: Date }>;

export type TicketFieldColumns = {
  [Name in FieldName as FieldTable[Name]["column"]]: FieldValue<Name>;
};

type FieldInput<Row extends FieldRow, Body> = Body extends "change"
  ? Row extends { changeInput: infer Change }
    ? Change
    : Row["input"]
  : Row["input"];

type Inputs<Body extends TicketBody> = {
  [Name in FieldName as Body extends FieldTable[Name]["bodies"][number] ? Name : never]: FieldInput<
    FieldTable[Name],
    Body
  >;
};

type AnswerMembers<Answer extends TicketAnswer> = {
  [
    Name in OwnField as Answer extends FieldTable[Name]["answers"][number] ? Name : never
  ]: AnswerMember;
};

type FieldBody = { [Name in FieldName]?: ValueOf<FieldInput<FieldTable[Name], "change">> };

type TableRow = FieldTable[FieldName] & FieldRow;

const rows = Object.entries(ticketFields) as [FieldName, TableRow][];

const ownRows = rows.filter(([, row]) => !row.isRequestor) as [OwnField, TableRow][];

const fieldsTemplate = templateOf([...ownRows.map(([name]) => name), "requestor"]);

const requestorTemplate = templateOf(
  rows.filter(([, row]) => row.isRequestor).map(([name]) => name),
);

const columnsTemplate = templateOf(rows.map(([, { column }]) => column));

/** To clone and fill: all clones share a hidden class of V8, which each new key would change. */
export function templateOf(keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, null]));
}

/** The properties of a body. */
export function inputsOf<Body extends TicketBody>(body: Body): Inputs<Body> {
  return Object.fromEntries(
    rows
      .filter(([, { bodies }]) => bodies.includes(body))
      .map(([name, row]) => [name, body === "change" ? (row.changeInput ?? row.input) : row.input]),
  ) as Inputs<Body>;
}

/** The members of an answer: their schemas, and how to read them from a ticket. */
export function answerMembersOf<Answer extends TicketAnswer>(
  answer: Answer,
): AnswerMembers<Answer> {
  const reads = (name: OwnField) => (fields: FieldValues) => fields[name];
  return Object.fromEntries<AnswerMember>(
    ownRows
      .filter(([, { answers }]) => answers.includes(answer))
      .map(([name, { answer: schema }]) => [name, { schema, read: reads(name) }]),
  ) as AnswerMembers<Answer>;
}

export const requestorAnswerMembers: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.keys(requestorTemplate).map((name) => [name, text]),
);

/** Parses the values of a body. Absent fields keep their current value, or get the initial one. */
export function parseFields(body: FieldBody, current?: FieldValues): FieldValues {
  return fieldValues((name, row) => {
    const value = body[name];
    if (value !== undefined && value !== null) {
      return row.parse(value as never);
    }
    return value === null || current === undefined ? row.initial : valueOf(current, name, row);
  });
}

export function readFields(columns: TicketFieldColumns): FieldValues {
  return fieldValues((_name, { column }) => columns[column]);
}

function fieldValues(read: (name: FieldName, row: TableRow) => unknown): FieldValues {
  const fields = { ...fieldsTemplate };
  const requestor = { ...requestorTemplate };
  for (const [name, row] of rows) {
    (row.isRequestor ? requestor : fields)[name] = read(name, row);
  }
  fields["requestor"] = requestor;
  return fields as FieldValues;
}

export function fieldColumns(fields: FieldValues): TicketFieldColumns {
  const columns = { ...columnsTemplate };
  for (const [name, row] of rows) {
    columns[row.column] = valueOf(fields, name, row);
  }
  return columns as TicketFieldColumns;
}

/** Whether no field differs. */
export function isSameFields(a: TicketFields, b: TicketFields): boolean {
  return (
    a.startTime.getTime() === b.startTime.getTime() &&
    a.endTime.getTime() === b.endTime.getTime() &&
    rows.every(([name, row]) => valueOf(a, name, row) === valueOf(b, name, row))
  );
}

function valueOf(fields: FieldValues, name: FieldName, { isRequestor }: TableRow): unknown {
  return isRequestor ? fields.requestor[name as RequestorField] : fields[name as OwnField];
}

function textField<const Row extends FieldRow>(row: Row) {
  return { ...row, isRequestor: false, initial: "", answer: text, parse: asText } as const;
}

function asText(value: string): string {
  return value;
}

/** An empty text is stored as null. */
function nullableField<const Row extends FieldRow>(row: Row) {
  return {
    ...row,
    isRequestor: false,
    initial: null,
    answer: nullableText,
    parse: orNull,
  } as const;
}

function integerField<const Row extends FieldRow>(initial: number, row: Row) {
  return { ...row, isRequestor: false, initial, answer: integer, parse: asNumber } as const;
}

function asNumber(value: number): number {
  return value;
}

/** Shown inside `requestor` in answers. */
function requestorField<const Column extends string, const Input extends JsonSchema>(
  column: Column,
  input: Input,
  parse: (value: string) => string | null = orNull,
) {
  const row = { column, input, bodies: everyBody, answers: [], initial: null } as const;
  return { ...row, isRequestor: true, answer: text, parse } as const;
}

function parseMail(value: string): string | null {
  return parseContact(value, "email", parseEmail);
}

function parseCall(value: string): string | null {
  return parseContact(value, "phone", parsePhone);
}

/** Over HTTP the schema checks the format already; other callers have no schema. */
function parseContact(
  value: string,
  field: "email" | "phone",
  parse: (input: string) => string | undefined,
): string | null {
  const input = orNull(value);
  const parsed = input === null ? null : parse(input);
  if (parsed === undefined) {
    const { rule } = textFormats[field];
    throw invalidParameter(field, "format", `The ${field} field is invalid: it must be ${rule}.`);
  }
  return parsed;
}

function nullableLine(maxLength: number) {
  return { ...line(maxLength), type: ["string", "null"] } as const;
}

/** No control characters, because the value may become part of an email subject. */
function line(maxLength: number) {
  return { type: "string", maxLength, ...oneLine } as const;
}
