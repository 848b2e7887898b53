/** Session totals from the API. */
import type { components } from "../../base/api-types.ts";

type Schemas = components["schemas"];

export type SessionRow = Schemas["SessionStatistic"];
export type SessionSummary = Schemas["SessionSummary"];
