/** Checks messages that do not come by HTTP, such as those of sockets, against a JSON Schema. */
import { Ajv, type ErrorObject } from "ajv";
import { invalidParameter, missingParameter } from "../contracts/problems.ts";
import type { JsonSchema } from "./route.ts";

const ajv = new Ajv({ strict: true, strictTypes: false });

/**
 * Out: a function that returns the message as `T`, which the schema must describe, or throws a
 * problem that names the first wrong field.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the schema says what T is
export function createMessageReader<T>(
  schema: JsonSchema,
): (message: Readonly<Record<string, unknown>>) => T {
  const isValid = ajv.compile<T>(schema);
  return (message: unknown) => {
    if (isValid(message)) {
      return message;
    }
    throw problemOf(isValid.errors?.[0]);
  };
}

function problemOf(error: ErrorObject | undefined): Error {
  const missing: unknown = error?.params["missingProperty"];
  if (typeof missing === "string") {
    return missingParameter(missing);
  }
  const field = error?.instancePath.split("/")[1] ?? "";
  const name = field === "" ? "message" : field;
  return invalidParameter(name, "format", `The ${name} ${error?.message ?? "is invalid"}.`);
}
