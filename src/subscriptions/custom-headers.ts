import { maskedValue, isReservedHeader } from "../contracts/request-headers.ts";
import { checkEach, invalidParameter } from "../contracts/problems.ts";
import type { CustomHeader } from "../contracts/subscriptions.ts";
import { exactObject, text } from "../http/schema.ts";
import type { JsonSchema } from "../http/route.ts";

const maxHeaders = 20;

const maxHeaderName = 128;

const maxHeaderValue = 1024;

export const headersInput: JsonSchema = {
  type: "array",
  maxItems: maxHeaders,
  items: {
    type: "object",
    additionalProperties: false,
    required: ["name", "value"],
    properties: {
      name: {
        type: "string",
        minLength: 1,
        maxLength: maxHeaderName,
        described: { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" },
      },
      value: {
        type: "string",
        maxLength: maxHeaderValue,
        described: { pattern: "^([!-~]([ -~]*[!-~])?)?$" },
      },
    },
  },
};

export const headersAnswer: JsonSchema = {
  type: "array",
  items: exactObject("WebhookHeader", { name: text, value: text }),
};

/** Checks each header by itself, without the stored ones. */
export function checkHeaderForms(headers: readonly CustomHeader[]): void {
  checkEach(
    ...headers.flatMap((header, index) => [
      () => checkName(header.name, `headers[${index}].name`),
      () => {
        if (header.value !== maskedValue) {
          checkValue(header, `headers[${index}].value`);
        }
      },
    ]),
  );
}

/**
 * The headers to store with a change. Stored values do not go to another origin unless the client
 * sends them again: otherwise a user who may set the URL could have them sent to a server of their
 * own and read them there.
 */
export function mergeHeaders(
  input: readonly CustomHeader[] | undefined,
  { stored, hasMoved }: { stored: readonly CustomHeader[]; hasMoved: boolean },
): readonly CustomHeader[] {
  const areKept = input === undefined || input.some(({ value }) => value === maskedValue);
  if (hasMoved && areKept && stored.length > 0) {
    const detail = "The new url has another origin: give the values of the headers again.";
    throw invalidParameter("headers", "masked", detail);
  }
  // Stored headers stay even if a later release rejects them: sending leaves them out.
  return input === undefined ? [...stored] : headersToStore(input, stored);
}

/**
 * The headers to store. A header with the masked value keeps the stored value of the same name, so
 * that a client can send back what it read. Throws the problem of the first invalid header.
 */
export function headersToStore(
  input: readonly CustomHeader[],
  stored: readonly CustomHeader[],
): CustomHeader[] {
  if (input.length > maxHeaders) {
    throw invalidParameter("headers", "length", `At most ${maxHeaders} headers are allowed.`);
  }
  const values = new Map(stored.map((header) => [header.name.toLowerCase(), header]));
  const seen = new Set<string>();
  return input.map((header, index) => {
    const field = `headers[${index}]`;
    const lowerName = header.name.toLowerCase();
    if (seen.has(lowerName)) {
      const detail = `The header ${header.name} is listed twice.`;
      throw invalidParameter(`${field}.name`, "duplicate", detail);
    }
    seen.add(lowerName);
    return checkHeader(header, values.get(lowerName), field);
  });
}

function checkHeader(
  input: CustomHeader,
  kept: CustomHeader | undefined,
  field: string,
): CustomHeader {
  checkName(input.name, `${field}.name`);
  if (input.value !== maskedValue) {
    checkValue(input, `${field}.value`);
    return input;
  }
  if (kept === undefined) {
    const detail = `The header ${input.name} has no stored value to keep.`;
    throw invalidParameter(`${field}.value`, "masked", detail);
  }
  return { name: input.name, value: kept.value };
}

/** The signs that a token of RFC 9110 may have besides letters and digits. */
const tokenSigns = "!#$%&'*+-.^_`|~";

/** A token of RFC 9110. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/u;

function checkName(name: string, field: string): void {
  if (!token.test(name) || name.length > maxHeaderName) {
    throw invalidParameter(
      field,
      "format",
      `"${name}" is not a valid header name: it must have 1 to ${maxHeaderName} letters, digits and characters of ${tokenSigns}`,
    );
  }
  if (isReservedHeader(name)) {
    throw invalidParameter(
      field,
      "refused",
      `The header ${name} cannot be set: it is reserved for the request itself, for proxies or for the signature.`,
    );
  }
}

/**
 * What Node accepts, which excludes the control characters of ASCII but the tab; no blanks at the
 * ends, because they are lost. U+0080 to U+009F and U+00A0 are sent as any other Latin-1 character.
 */
const sendableValue = /^(?![\t ])[\t\x20-\x7e\x80-\xff]*(?<![\t ])$/u;

function checkValue({ name, value }: CustomHeader, field: string): void {
  if (value.length > maxHeaderValue || !sendableValue.test(value)) {
    throw invalidParameter(
      field,
      "format",
      `The value of the header ${name} is invalid: it must have at most ${maxHeaderValue} Latin-1 characters, no line breaks or other ASCII control characters except tabs, and no space or tab at the start or end.`,
    );
  }
}

/** Headers as the API shows them. */
export function maskHeaders(headers: readonly CustomHeader[]): CustomHeader[] {
  return headers.map(({ name }) => ({ name, value: maskedValue }));
}
