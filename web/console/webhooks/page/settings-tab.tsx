import { Stack } from "@mantine/core";
import { useMay } from "../../session.ts";
import { DeleteSection } from "./delete-section.tsx";
import { EventsSection } from "./events-section.tsx";
import { History } from "./history.tsx";
import { Limits } from "./limits.tsx";
import { EndpointSection } from "./endpoint-section.tsx";
import classes from "./page.module.css";
import type { Webhook } from "../types.ts";

/** Settings of a webhook: events, endpoint, limits and history. */
export function SettingsTab({ webhook }: { webhook: Webhook }) {
  const mayWrite = useMay("webhooks.write");
  return (
    <Stack gap="md">
      <div className={classes["halves"]}>
        <EndpointSection webhook={webhook} />
        <Limits webhook={webhook} />
      </div>
      <EventsSection webhook={webhook} />
      <History webhookId={webhook.id} />
      {mayWrite ? <DeleteSection webhook={webhook} /> : null}
    </Stack>
  );
}
