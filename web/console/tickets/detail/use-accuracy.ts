import { useQuery } from "@tanstack/react-query";
import { api, call } from "../../../base/api.ts";
import { formatNumber } from "../../../base/format.ts";
import { useTranslation } from "../../../base/i18n.ts";
import type { Ticket } from "../types.ts";

/** "± 25 m": how exact the position of the ticket's customer is; undefined if that is not known. */
export function useAccuracy({ id, geoloc }: Pick<Ticket, "id" | "geoloc">): string | undefined {
  const { t } = useTranslation("tickets");
  const { data } = useQuery({
    // A new position is read again.
    queryKey: ["tickets", id, "position", geoloc],
    queryFn: () =>
      call(api.GET("/api/tickets/{ticketId}/position", { params: { path: { ticketId: id } } })),
    enabled: geoloc !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const meters = data?.accuracy;
  return typeof meters === "number"
    ? t("detail.accuracy", {
        meters: formatNumber(Math.ceil(meters), { maximumFractionDigits: 0 }),
      })
    : undefined;
}
