/** The section `webhooks`: requests to receivers. */
import type { JsonSchema } from "../route.ts";
import type { Collector } from "./schemas.ts";

/** A kind of event and the body of its requests. */
export type DescribedWebhook = Readonly<{
  /** The filter that selects it: `ticket.create`. */
  name: string;
  summary: string;
  body: JsonSchema;
}>;

const text = { type: "string" };

/** Headers of every request. */
export const webhookHeaders = {
  WebhookId: header("webhook-id", "The event: the same on every attempt and replay", {
    ...text,
    pattern: "^evt_[0-9A-Za-z_-]+$",
  }),
  WebhookTimestamp: header("webhook-timestamp", "UNIX seconds of this attempt", {
    ...text,
    pattern: "^[0-9]+$",
  }),
  WebhookSignature: header(
    "webhook-signature",
    "Standard Webhooks: one `v1,` (HMAC-SHA256) for each secret, one `v1a,` (Ed25519) for each key, separated by spaces, over `<webhook-id>.<webhook-timestamp>.<body>` with the raw body",
    { ...text, pattern: "^v1a?,[A-Za-z0-9+/=]+( v1a?,[A-Za-z0-9+/=]+)*$" },
  ),
  WebhookSequence: header(
    "webhook-sequence",
    "The number of the delivery within its webhook: 1, 2, 3 …",
    {
      ...text,
      pattern: "^[1-9][0-9]*$",
    },
  ),
  WebhookReplay: header("webhook-replay", "`true` on a replay", { ...text, enum: ["true"] }, false),
  UserAgent: header("User-Agent", "Always the same", { ...text, enum: ["Sightline Cloud"] }),
} as const;

const responses = {
  "2XX": { description: "Accepted. The response body is ignored" },
  "410": { description: "Gone: the webhook is disabled immediately" },
  default: { description: "Any other status, or a time-out: retried" },
};

export function describeWebhooks(
  webhooks: readonly DescribedWebhook[],
  collector: Collector,
): Record<string, unknown> {
  return Object.fromEntries(
    webhooks.map(({ name, summary, body }) => [
      name,
      {
        post: {
          operationId: operationId(name),
          tags: ["webhooks"],
          summary,
          parameters: Object.keys(webhookHeaders).map((key) => ({
            $ref: `#/components/parameters/${key}`,
          })),
          requestBody: {
            required: true,
            content: { "application/json": { schema: collector.lift(body) } },
          },
          responses,
        },
      },
    ]),
  );
}

function operationId(name: string): string {
  return `receive${name
    .split(".")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")}`;
}

function header(name: string, description: string, schema: JsonSchema, required = true) {
  return {
    name,
    in: "header",
    required,
    description,
    schema,
  };
}
