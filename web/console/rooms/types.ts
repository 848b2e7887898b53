import type { components } from "../../base/api-types.ts";
import type { Meaning } from "../../components/meaning.ts";

type Schemas = components["schemas"];

export type LiveRoom = Schemas["LiveRoom"];
export type LivePerson = Schemas["LiveRoomPerson"];
export type Quality = NonNullable<LivePerson["quality"]>;

export const meaningOf: Readonly<Record<Quality, Meaning>> = {
  good: "good",
  fair: "warn",
  poor: "bad",
};
