/** What sessions come to, as the service sums them up. */
import type { components } from "../../base/api-types.ts";

type Schemas = components["schemas"];

export type SessionRow = Schemas["SessionStatistic"];
export type SessionSummary = Schemas["SessionSummary"];
