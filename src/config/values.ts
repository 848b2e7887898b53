import type { SettingName } from "./settings.ts";

/** The environment after validation: every setting with its type, or undefined. */
export type Values = Record<SettingName, string | number | boolean | undefined>;

export function text(value: Values[SettingName]): string | undefined {
  return value === undefined ? undefined : String(value);
}
