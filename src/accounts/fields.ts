/** Fields shared by several bodies and lists of this feature. */
import { languages } from "../contracts/languages.ts";
import { invalidParameter } from "../contracts/problems.ts";
import {
  emailField,
  nameLine,
  oneLine,
  orderQuery,
  phoneField,
  defaultPage,
  type OrderQuery,
} from "../http/schema.ts";
import type { JsonSchema } from "../http/route.ts";

/** A password or token that a client sends. */
export const secretText = { type: "string", minLength: 1, maxLength: 1024 } as const;

/** A mail address; empty means none. */
export const optionalEmailField: JsonSchema = emailField;

export const optionalPhoneField: JsonSchema = phoneField;

/** A new password that satisfies the password rule. */
export const newPasswordField: JsonSchema = {
  type: "string",
  maxLength: 1024,
  format: "new-password",
};

export const nullableLanguageField: JsonSchema = {
  type: ["string", "null"],
  enum: [...languages, null],
};

export const idListField: JsonSchema = {
  type: "array",
  maxItems: 100,
  uniqueItems: true,
  items: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
};

export const orderings = ["date", "modified", "id"] as const;

export const sortQuery = {
  orderby: { type: "string", enum: orderings },
  ...orderQuery,
} as const;

export type SortQuery = OrderQuery & { orderby?: (typeof orderings)[number] };

export type Sort = Readonly<{ orderby: (typeof orderings)[number]; order: "asc" | "desc" }>;

export type SortedPage = Sort & Readonly<{ limit: number; offset: number }>;

export const pageRule = defaultPage;

/** One line of text without control characters, because it may be used in a mail subject. */
export function lineField(maxLength: number, minLength = 0): JsonSchema {
  return {
    type: "string",
    minLength,
    maxLength,
    ...(minLength === 0 ? oneLine : nameLine),
  };
}

export function parseSort({ orderby, order }: SortQuery): Sort {
  return {
    orderby: orderby ?? "date",
    order: order ?? "desc",
  };
}

/** ORDER BY for tables with these column names. Ties by id. */
export function orderSql({ orderby, order }: Sort, table: string): string {
  const column = { date: "created_at", modified: "modified_at", id: "id" }[orderby];
  const direction = order === "asc" ? "ASC" : "DESC";
  return `ORDER BY ${table}.${column} ${direction}, ${table}.id ${direction}`;
}

/** Parses an optional text into its stored form. An empty text means none. */
export function parseOptionalText(
  field: string,
  value: string | undefined,
  parse: (text: string) => string | undefined,
): string | undefined {
  if (value === undefined || value.trim() === "") {
    return value === undefined ? undefined : "";
  }
  const result = parse(value);
  if (result === undefined) {
    throw invalidParameter(field, "format", `The ${field} field is invalid.`);
  }
  return result;
}

/** Drops undefined members, so that an update leaves absent fields unchanged. */
export function omitUndefined<T extends object>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
