/** Checks messages that do not come by HTTP, such as those of sockets, against a JSON Schema. */
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { invalidParameter, missingParameter } from "../contracts/problems.ts";

const ajv = new Ajv({ strict: true, strictTypes: false });

/** `compileMessage<T>(schema)`: the schema must describe `T`. */
export const compileMessage: Ajv["compile"] = ajv.compile.bind(ajv);

/** Out: a function that returns a valid message, or throws a problem that names the first fault. */
export function createMessageReader<T>(
  isValid: ValidateFunction<T>,
): (message: Readonly<Record<string, unknown>>) => T {
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
