import type { Setting } from "./provider-settings.ts";

/** Settings of relays, delivery processes and their queues. */
export const deliverySettings = {
  RELAY_SHARDS: {
    type: "string",
    enum: ["1", "2", "4", "8", "16"],
    default: "1",
    meaning: "How many relays fan out at once, each the events of other enterprises.",
  },
  RELAY_STAND_IN: {
    type: "boolean",
    default: true,
    meaning:
      "Unless there is much to do, a delivery process stands in for the relay and starts new " +
      "deliveries without a job. Needs a single Redis. `npm start` is one process, which always does.",
  },
  DELIVERY_CONCURRENCY: {
    type: "integer",
    default: 256,
    minimum: 1,
    maximum: 1000,
    meaning: "Concurrent requests per object type and delivery process.",
  },
  DELIVERY_SLOW_CONCURRENCY: {
    type: "integer",
    default: 768,
    minimum: 0,
    maximum: 5000,
    meaning:
      "Additional concurrent requests that take longer than half a second, so that slow " +
      "receivers do not block the others.",
  },
  DELIVERY_MAX_IN_FLIGHT: {
    type: "integer",
    default: 96,
    minimum: 1,
    maximum: 10000,
    meaning:
      "The most requests that one subscription may have in flight, across all processes. At most " +
      "half of DELIVERY_CONCURRENCY, so that one subscription never fills a worker.",
  },
  DELIVERY_TIMEOUT_MS: {
    type: "integer",
    default: 15000,
    minimum: 100,
    maximum: 60000,
    meaning:
      "Time-out of a receiver's response, in milliseconds. A status that arrives in time counts, " +
      "even if the body does not.",
  },
  DELIVERY_LEASE_SECONDS: {
    type: "integer",
    default: 30,
    minimum: 2,
    maximum: 600,
    meaning: "After how many seconds a delivery of a crashed worker is requeued.",
  },
  QUEUE_HIGH_WATER: {
    type: "integer",
    default: 10000,
    minimum: 100,
    meaning:
      "With more waiting jobs than this, a queue gets no more jobs. The rest waits in Postgres.",
  },
  RETENTION_DAYS: {
    type: "integer",
    default: 30,
    minimum: 4,
    maximum: 400,
    meaning:
      "How many days events, ended deliveries and their attempts are kept, unless an enterprise " +
      "has set its own number.",
  },
  EVENT_MAX_BYTES: {
    type: "integer",
    default: 262144,
    minimum: 65536,
    maximum: 1048576,
    meaning:
      "The largest body of a webhook request, in bytes. A change that would exceed it is refused.",
  },
} as const satisfies Record<string, Setting>;
