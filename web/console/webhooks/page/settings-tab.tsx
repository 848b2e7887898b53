import { Stack } from "@mantine/core";
import { useMay } from "../../session.ts";
import { Danger } from "./danger.tsx";
import { Gets } from "./gets.tsx";
import { History } from "./history.tsx";
import { Limits } from "./limits.tsx";
import { Where } from "./where.tsx";
import classes from "./page.module.css";
import type { Webhook } from "../types.ts";

/** What a webhook gets, where that goes and how fast, and who changed it. */
export function SettingsTab({ webhook }: { webhook: Webhook }) {
  const mayWrite = useMay("webhooks.write");
  return (
    <Stack gap="md">
      <div className={classes["halves"]}>
        <Where webhook={webhook} />
        <Limits webhook={webhook} />
      </div>
      <Gets webhook={webhook} />
      <History webhookId={webhook.id} />
      {mayWrite ? <Danger webhook={webhook} /> : null}
    </Stack>
  );
}
