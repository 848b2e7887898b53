import { Button } from "@mantine/core";
import { IconPlayerTrackNext } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { formatDate } from "../../../base/format.ts";
import { showDone, showFault } from "../../../components/show-fault.tsx";
import { useSingleAction } from "../../../components/use-single-action.ts";
import { useMay } from "../../session.ts";
import type { Delivery } from "../model.ts";
import { refreshDeliveries } from "../queries.ts";
import { useWebhookLabel } from "../use-labels.ts";

type RetryButtonProps = Readonly<{
  delivery: Pick<Delivery, "id" | "webhook" | "status">;
  /** For a table row. */
  isSmall?: boolean;
}>;

/** Starts the next attempt now; visible if the user may and the delivery waits for a retry. */
export function RetryButton({ delivery, isSmall = false }: RetryButtonProps) {
  const { t } = useTranslation("deliveries");
  const mayWrite = useMay("webhooks.write");
  const queries = useQueryClient();
  const label = useWebhookLabel();
  const { id: deliveryId, webhook, status } = delivery;
  const retry = useSingleAction({
    mutationFn: () =>
      call(
        api.POST("/api/webhooks/deliveries/{deliveryId}/retry", {
          params: { path: { deliveryId } },
        }),
      ),
    onError: showFault,
    onSuccess: ({ throttled_until: until, probed }) => {
      if (until !== null) {
        const time = formatDate(new Date(until), { hour: "2-digit", minute: "2-digit" });
        showDone(t("retry.throttled", { time }));
      } else {
        showDone(
          t(probed ? "retry.probed" : "retry.done", { id: deliveryId, webhook: label(webhook) }),
        );
      }
    },
    // Refetch on success and on failure: after a conflict, the shown state is stale.
    onSettled: async () => {
      await refreshDeliveries(queries);
      await queries.invalidateQueries({ queryKey: ["webhooks"] });
    },
  });
  if (!mayWrite || status !== "retry" || webhook.deleted) {
    return null;
  }
  return (
    <Button
      size={isSmall ? "compact-xs" : "xs"}
      variant={isSmall ? "default" : "filled"}
      leftSection={<IconPlayerTrackNext size={isSmall ? 12 : 15} aria-hidden />}
      loading={retry.isPending}
      onClick={() => retry.run()}
    >
      {t("retry.now")}
    </Button>
  );
}
