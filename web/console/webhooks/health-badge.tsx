import { StateBadge } from "../../components/state-badge.tsx";
import { meaningOfHealth } from "../deliveries/health.ts";
import { useLabels } from "../deliveries/use-labels.ts";
import { healthStateOf } from "./health-state.ts";
import type { LiveWebhook, Webhook } from "./types.ts";

type Of = Readonly<{ webhook: Webhook; live: LiveWebhook | undefined }>;

/** The health of a webhook, as a badge with icon. */
export function HealthBadge({ webhook, live }: Of) {
  const { health } = useLabels();
  const situation = healthStateOf(webhook, live);
  const { oldest_waiting_seconds = null } = live ?? {};
  return (
    <StateBadge meaning={meaningOfHealth(situation)}>
      {health(situation, { ...webhook.health, oldest_waiting_seconds })}
    </StateBadge>
  );
}
