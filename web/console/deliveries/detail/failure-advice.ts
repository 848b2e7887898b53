/** Classifies the failure of an attempt; each class has its own text. Pure. */
import type { FailureClass } from "../../../../src/contracts/deliveries.ts";
import { isFailureClass, type Attempt } from "../model.ts";

const statusKinds = {
  400: "bad_request",
  401: "not_authorized",
  403: "not_authorized",
  404: "not_found",
  405: "not_found",
  408: "slow",
  410: "gone",
  413: "too_large",
  415: "media_type",
  422: "bad_request",
  429: "throttled",
  502: "gateway",
  503: "unavailable",
  504: "gateway",
} as const;

const classKinds = { 1: "informational", 3: "redirect", 4: "client", 5: "server" } as const;

export type FailureKind =
  | FailureClass
  | (typeof statusKinds)[keyof typeof statusKinds]
  | (typeof classKinds)[keyof typeof classKinds];

/** undefined if the attempt succeeded. */
export function failureOf({
  code,
  error,
}: Pick<Attempt, "code" | "error">): FailureKind | undefined {
  if (code === null) {
    return isFailureClass(error) ? error : "other";
  }
  const known: Readonly<Record<number, FailureKind>> = statusKinds;
  const classes: Readonly<Record<number, FailureKind>> = classKinds;
  return known[code] ?? classes[Math.floor(code / 100)];
}
