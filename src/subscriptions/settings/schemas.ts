/** Building blocks of the schemas of settings. */
import type { JsonSchema } from "../../http/route.ts";

/** Neither control characters nor characters that change the direction of text. */
const noControls = {
  pattern: "^[^\\x00-\\x1f\\x7f-\\x9f\u202A-\u202E\u2066-\u2069]*$",
  rule: "one line of text, without characters that control or turn it",
} as const;

export const receiverUrl = {
  format: "uri",
  description: "https; port 443 or at least 1024; no user, password or fragment",
  examples: ["https://crm.example.com/hooks"],
} as const;

/** One line, which may be empty. */
export function oneLineText(maxLength: number) {
  return { type: "string", maxLength, ...noControls } as const;
}

/** One line that is not empty. */
export function requiredText(maxLength: number) {
  return { type: "string", minLength: 1, maxLength, ...noControls } as const;
}

export function oneOf(values: readonly string[]): JsonSchema {
  return { type: "string", enum: values };
}

export function someOf(values: readonly string[], minItems: number): JsonSchema {
  return {
    type: "array",
    minItems,
    maxItems: values.length,
    uniqueItems: true,
    items: oneOf(values),
  };
}

export function objectOrNull(schema: JsonSchema): JsonSchema {
  return { ...schema, type: ["object", "null"] };
}
