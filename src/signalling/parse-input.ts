/** Parses client messages; throws a problem that names the invalid field. Pure. */
import { invalidParameter, missingParameter } from "../contracts/problems.ts";
import {
  boxKinds,
  presenceStates,
  type BoxRef,
  type PresenceState,
  type MessageWindow,
} from "../contracts/signalling.ts";
import { isUuid } from "../platform/ids.ts";

export type SocketInput = Readonly<Record<string, unknown>>;

export function toRawInput(sent: unknown): SocketInput {
  return typeof sent === "object" && sent !== null ? (sent as SocketInput) : {};
}

/** Null if absent. */
export function readStateOrNull(input: SocketInput): PresenceState | null {
  return input["state"] === undefined ? null : readState(input);
}

export function readState(input: SocketInput): PresenceState {
  return readOneOf(input, "state", presenceStates);
}

export function readBox(input: SocketInput): BoxRef {
  return {
    kind: readOneOf(input, "kind", boxKinds),
    destId: readId(input, "destId"),
  };
}

function readOneOf<Word extends string>(
  input: SocketInput,
  field: string,
  words: readonly Word[],
): Word {
  const { [field]: value } = input;
  if (value === undefined) {
    throw missingParameter(field);
  }
  const word = words.find((known) => known === value);
  if (word === undefined) {
    throw invalidParameter(field, "unknown", `The ${field} must be one of ${words.join(", ")}.`);
  }
  return word;
}

const messagesPerPage = 50;

export function readWindow(input: SocketInput): MessageWindow & { limit: number } {
  return {
    ...(input["before"] === undefined ? {} : { before: readId(input, "before") }),
    ...(input["after"] === undefined ? {} : { after: readId(input, "after") }),
    limit: messagesPerPage,
  };
}

export function readId(input: SocketInput, field: string): number {
  const { [field]: value } = input;
  if (value === undefined) {
    throw missingParameter(field);
  }
  if (!Number.isSafeInteger(value) || Number(value) < 1) {
    throw invalidParameter(
      field,
      "format",
      `The ${field} must be an id: a whole number of at least 1.`,
    );
  }
  return Number(value);
}

export function readUuid(input: SocketInput, field: string): string {
  const { [field]: value } = input;
  if (value === undefined) {
    throw missingParameter(field);
  }
  if (typeof value !== "string" || !isUuid(value)) {
    throw invalidParameter(field, "format", `The ${field} must be a UUID.`);
  }
  return value.toLowerCase();
}

const maxCharacters = 4_000;

/** Control characters except tab and line breaks. */
const controls = /(?![\t\n\r])\p{Cc}/u;

/** Non-blank text of one or more lines. */
export function readText(input: SocketInput): string {
  const { text } = input;
  if (text === undefined) {
    throw missingParameter("text");
  }
  if (typeof text !== "string" || !/\S/u.test(text) || controls.test(text)) {
    throw invalidParameter(
      "text",
      "format",
      "The text must not be blank or contain control characters.",
    );
  }
  if ([...text].length > maxCharacters) {
    throw invalidParameter("text", "length", `The text has more than ${maxCharacters} characters.`);
  }
  return text;
}

/** Optional single-line text; the empty string counts as absent. */
export function readLine(input: SocketInput, field: string, maxLength: number): string | undefined {
  const { [field]: value } = input;
  if (value === undefined || value === null || value === "") {
    return undefined;
  }
  if (typeof value !== "string" || value.length > maxLength || /\p{Cc}/u.test(value)) {
    throw invalidParameter(
      field,
      "format",
      `The ${field} must be one line of at most ${maxLength} characters.`,
    );
  }
  return value;
}
