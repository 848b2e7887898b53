/** What a client wrote → what a handler takes, or the problem that names the field. Pure. */
import { invalidParameter, missingParameter } from "../contracts/problems.ts";
import {
  boxKinds,
  presenceStates,
  type BoxRef,
  type PresenceState,
  type WindowAsk,
} from "../contracts/signalling.ts";

export type Given = Readonly<Record<string, unknown>>;

export function toGiven(sent: unknown): Given {
  return typeof sent === "object" && sent !== null ? (sent as Given) : {};
}

/** Absent where none was given. */
export function readStateOrNull(given: Given): PresenceState | null {
  return given["state"] === undefined ? null : readState(given);
}

export function readState(given: Given): PresenceState {
  return oneOf(given, "state", presenceStates);
}

export function readBox(given: Given): BoxRef {
  return {
    kind: oneOf(given, "kind", boxKinds),
    destId: readId(given, "destId"),
  };
}

function oneOf<Word extends string>(given: Given, field: string, words: readonly Word[]): Word {
  const { [field]: value } = given;
  if (value === undefined) {
    throw missingParameter(field);
  }
  const word = words.find((known) => known === value);
  if (word === undefined) {
    throw invalidParameter(field, "unknown", `The ${field} must be one of ${words.join(", ")}.`);
  }
  return word;
}

const pageOfMessages = 50;

export function readWindow(given: Given): WindowAsk & { limit: number } {
  return {
    ...(given["before"] === undefined ? {} : { before: readId(given, "before") }),
    ...(given["after"] === undefined ? {} : { after: readId(given, "after") }),
    limit: pageOfMessages,
  };
}

export function readId(given: Given, field: string): number {
  const { [field]: value } = given;
  if (value === undefined) {
    throw missingParameter(field);
  }
  if (!Number.isSafeInteger(value) || Number(value) < 1) {
    throw invalidParameter(
      field,
      "format",
      `The ${field} must be an id: a whole number from 1 on.`,
    );
  }
  return Number(value);
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

export function readUuid(given: Given, field: string): string {
  const { [field]: value } = given;
  if (value === undefined) {
    throw missingParameter(field);
  }
  if (typeof value !== "string" || !uuid.test(value)) {
    throw invalidParameter(field, "format", `The ${field} must be a UUID.`);
  }
  return value.toLowerCase();
}

const maxCharacters = 4_000;

/** All that no keyboard writes. */
const controls = /(?![\t\n\r])\p{Cc}/u;

/** Something that can be seen, on one line or several. */
export function readText(given: Given): string {
  const { text } = given;
  if (text === undefined) {
    throw missingParameter("text");
  }
  if (typeof text !== "string" || !/\S/u.test(text) || controls.test(text)) {
    throw invalidParameter(
      "text",
      "format",
      "The text must show something, without control characters.",
    );
  }
  if ([...text].length > maxCharacters) {
    throw invalidParameter("text", "length", `The text has more than ${maxCharacters} characters.`);
  }
  return text;
}

/** Text of one line where it was given; empty is none. */
export function readWord(given: Given, field: string, maxLength: number): string | undefined {
  const { [field]: value } = given;
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
