/** Platform health. Polled every two seconds, its sampling interval, while the page is visible. */
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../../../base/api.ts";
import type { components } from "../../../base/api-types.ts";

type Schemas = components["schemas"];

export type Health = Schemas["PlatformHealth"];
export type Part = Schemas["PlatformPart"];
export type Queues = Schemas["PlatformQueues"];
export type DeliveryQueue = Schemas["PlatformDeliveryQueue"];
export type TaskQueue = Schemas["PlatformTaskQueue"];
export type Pass = Schemas["PlatformPass"];

const everyMs = 2_000;

export const healthQuery = queryOptions({
  queryKey: ["platform", "health"],
  queryFn: () => call(api.GET("/api/platform/health")),
  refetchInterval: everyMs,
});

export const queuesQuery = queryOptions({
  queryKey: ["platform", "queues"],
  queryFn: () => call(api.GET("/api/platform/queues")),
  refetchInterval: everyMs,
});
