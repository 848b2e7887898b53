import { Button } from "@mantine/core";
import { IconRepeat } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { showDone, showFault } from "../../../components/show-fault.tsx";
import { useMay } from "../../session.ts";
import { canRepeat, type DeliveryInFull } from "../model.ts";

type RepeatButtonProps = Readonly<{
  delivery: DeliveryInFull;
  onReplayed: (deliveryId: number) => void;
}>;

/** Replays a delivery at once; visible if the user may and the delivery can be replayed. */
export function ReplayButton({ delivery, onReplayed }: RepeatButtonProps) {
  const { t } = useTranslation("deliveries");
  const mayWrite = useMay("webhooks.write");
  const queries = useQueryClient();
  const path = { webhookId: delivery.webhook.id, deliveryId: delivery.id };
  const repeat = useMutation({
    mutationFn: () =>
      call(
        api.POST("/api/webhooks/{webhookId}/deliveries/{deliveryId}/replay", { params: { path } }),
      ),
    onError: showFault,
    onSuccess: async (made) => {
      showDone(t("replay.sent", { id: made.delivery_id }));
      await queries.invalidateQueries({ queryKey: ["deliveries", "replays"] });
      onReplayed(made.delivery_id);
    },
  });
  if (!mayWrite || !canRepeat(delivery)) {
    return null;
  }
  return (
    <Button
      size="xs"
      leftSection={<IconRepeat size={15} aria-hidden />}
      loading={repeat.isPending}
      onClick={() => repeat.mutate()}
    >
      {t("replay.this")}
    </Button>
  );
}
