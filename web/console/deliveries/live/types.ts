/** The API's live types, under the names of these pages. */
import type { components } from "../../../base/api-types.ts";

type Schemas = components["schemas"];

export type LiveView = Schemas["LiveDeliveries"];
export type LiveWebhook = Schemas["LiveWebhook"];
export type LiveAttempt = Schemas["LiveAttempt"];
export type Bucket = Schemas["LiveBucket"];
export type Series = Schemas["DeliverySeries"];
export type Count = Schemas["CountUpToABound"];
