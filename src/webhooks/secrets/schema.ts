import type { JsonSchema } from "../../http/route.ts";
import { secretField } from "../signing-secret.ts";
import type { RotateKeyInput, RotateSecretInput } from "./rotate.ts";
import { defaultOverlapHours, maxOverlapHours } from "./rotation.ts";

const overlapHours = {
  type: "integer",
  minimum: 0,
  maximum: maxOverlapHours,
  default: defaultOverlapHours,
};

export const rotateKeySchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: { overlapHours },
};
export type RotateKeyBody = RotateKeyInput;

export const rotateSecretSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: { overlapHours, secret: secretField },
};
export type RotateSecretBody = RotateSecretInput;
