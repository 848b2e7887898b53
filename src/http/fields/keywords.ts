/** The validator of the input, with the keywords and formats that are our own. */
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { textFormats, type TextFormat } from "./formats.ts";
import { wordsIn } from "./words.ts";

/**
 * Keywords beside those of JSON Schema: `wordsOf` for a comma list of known words, `isSwitch` for
 * what is on or off. Two only say something: `rule` what a pattern demands, in words that go on
 * after "it must be", and `described` what the description of the API adds.
 */
export function createAjv(): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    useDefaults: true,
    verbose: true,
  });
  addFormats.default(ajv);
  for (const [name, { isRight }] of Object.entries<TextFormat>(textFormats)) {
    ajv.addFormat(name, { validate: (text: string) => text === "" || isRight(text) });
  }
  ajv.addKeyword({ keyword: "rule", schemaType: "string" });
  ajv.addKeyword({ keyword: "described", schemaType: "object" });
  ajv.addKeyword({
    keyword: "wordsOf",
    type: "string",
    schemaType: "array",
    errors: false,
    validate: (words: readonly string[], list: string) =>
      wordsIn(list).every((word) => words.includes(word)),
  });
  ajv.addKeyword({
    keyword: "isSwitch",
    schemaType: "boolean",
    errors: false,
    validate: (_on: boolean, value: unknown) => isSwitch(value),
  });
  return ajv;
}

const switchWords: ReadonlySet<unknown> = new Set([true, false, 1, 0, "1", "0", "true", "false"]);

/** `1` and `true`, `0` and `false`; an empty text is off. */
function isSwitch(value: unknown): boolean {
  return switchWords.has(typeof value === "string" ? value.toLowerCase() : value) || value === "";
}
