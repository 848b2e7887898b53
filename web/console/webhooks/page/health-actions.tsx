import { Button, Group } from "@mantine/core";
import { IconHistory, IconPlugConnected } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { lazyDialog } from "../../../components/lazy-dialog.tsx";
import { showDone, showFault } from "../../../components/show-fault.tsx";
import { useSingleAction } from "../../../components/use-single-action.ts";
import { useMay } from "../../session.ts";
import { refreshWebhooks } from "../data.ts";
import { useNameOf } from "../names.ts";
import type { Webhook } from "../types.ts";

const [RecoverDialog, prepare] = lazyDialog(
  async () => (await import("./recover-dialog.tsx")).RecoverDialog,
);

/** Actions after a receiver was repaired. */
export function HealthActions({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation("webhooks");
  const mayWrite = useMay("webhooks.write");
  const [isAsking, setAsking] = useState(false);
  if (!mayWrite || !webhook.active || webhook.mode === "pull") {
    return null;
  }
  return (
    <Group gap="xs">
      {webhook.health.state === "open" ? <ProbeButton webhook={webhook} /> : null}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconHistory size={15} aria-hidden />}
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={() => setAsking(true)}
      >
        {t("recover.do")}
      </Button>
      {isAsking ? <RecoverDialog webhook={webhook} onClose={() => setAsking(false)} /> : null}
    </Group>
  );
}

function ProbeButton({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation("webhooks");
  const client = useQueryClient();
  const name = useNameOf()(webhook);
  const probe = useSingleAction({
    mutationFn: () =>
      call(
        api.POST("/api/webhooks/{webhookId}/probe", {
          params: { path: { webhookId: webhook.id } },
        }),
      ),
    onSuccess: () => showDone(t("probe.done", { name })),
    onError: showFault,
    onSettled: () => refreshWebhooks(client),
  });
  return (
    <Button
      size="xs"
      leftSection={<IconPlugConnected size={15} aria-hidden />}
      loading={probe.isPending}
      onClick={() => probe.run()}
    >
      {t("probe.do")}
    </Button>
  );
}
