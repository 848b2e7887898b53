/** The validator of the fields of requests: its keywords, formats and bounds. */
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import type { JsonSchema } from "../route.ts";
import { exceedsMaxLength, splitCommaList } from "../values.ts";
import { type TextFormat, textFormats } from "./formats.ts";

/**
 * Custom keywords: `wordsOf` for comma-separated lists of known words, `isSwitch` for booleans. Two
 * are annotations: `rule` completes the sentence "it must be …" for a pattern, and `described` adds
 * to the description of the API.
 */
export function createAjv(): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    useDefaults: true,
    verbose: true,
    // Our schemas are constants, which the tests validate.
    validateSchema: false,
  });
  addFormats.default(ajv);
  for (const [name, { isRight }] of Object.entries<TextFormat>(textFormats)) {
    ajv.addFormat(name, {
      validate: (text: string) => text === "" || (text.length <= maxFormatted && isRight(text)),
    });
  }
  usePatternsWithinLength(ajv);
  ajv.addKeyword({ keyword: "rule", schemaType: "string" });
  ajv.addKeyword({ keyword: "described", schemaType: "object" });
  ajv.addKeyword({
    keyword: "wordsOf",
    type: "string",
    schemaType: "array",
    errors: false,
    validate: (words: readonly string[], list: string, schema?: JsonSchema) =>
      exceedsMaxLength(list, schema ?? {}) ||
      splitCommaList(list).every((word) => words.includes(word)),
  });
  ajv.addKeyword({
    keyword: "isSwitch",
    schemaType: "boolean",
    errors: false,
    validate: (_on: boolean, value: unknown) => isSwitch(value),
  });
  return ajv;
}

/** Longer than any text with a format may be. A format would read texts up to the largest body. */
const maxFormatted = 10_000;

/**
 * Texts that are longer than `maxLength` are invalid already. The `pattern` keyword of ajv would still
 * run on them, up to the largest body, because all errors are reported.
 */
function usePatternsWithinLength(ajv: Ajv): void {
  ajv.removeKeyword("pattern");
  ajv.addKeyword({
    keyword: "pattern",
    type: "string",
    schemaType: "string",
    errors: false,
    compile: (pattern: string, schema) => {
      const expression = new RegExp(pattern, "u");
      return (text: string) => exceedsMaxLength(text, schema) || expression.test(text);
    },
  });
}

const switchWords: ReadonlySet<unknown> = new Set([true, false, 1, 0, "1", "0", "true", "false"]);

/** `1`, `true`, `0` or `false`; an empty text is false. */
function isSwitch(value: unknown): boolean {
  return switchWords.has(typeof value === "string" ? value.toLowerCase() : value) || value === "";
}
