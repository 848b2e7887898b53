import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, call } from "../../../base/api.ts";
import { useMay, useSession } from "../../session.ts";
import type { Attempt, DeliveryInFull } from "../model.ts";
import { webhooksQuery } from "../queries.ts";
import { addressAt, isChangedSince, type Address, type Changes } from "./address.ts";

const mostChanges = 100;

/** `modified`: of the webhook. What was asked before it was changed again is not all. */
const changesQuery = (enterpriseId: number, since: string, modified: string | undefined) =>
  queryOptions({
    queryKey: ["deliveries", "webhook-changes", enterpriseId, since, modified],
    queryFn: async (): Promise<Changes> => {
      const query = { object: "webhook", since, order: "asc", limit: mostChanges } as const;
      const params = { path: { enterpriseId }, query };
      const { data, total } = await call(
        api.GET("/api/enterprises/{enterpriseId}/audit", { params }),
      );
      return { entries: data, isAll: data.length === total };
    },
  });

/**
 * Where an attempt was sent to: the address of now where the webhook was not changed since, else
 * what the audit log tells whoever may read it.
 */
export const useAddress = (delivery: DeliveryInFull, attempt: Attempt): Address => {
  const { enterprise } = useSession();
  const mayRead = useMay("audit.read");
  const webhooks = useQuery({ ...webhooksQuery, staleTime: 0 });
  const today = webhooks.data?.data.find(({ id }) => id === delivery.webhook.id);
  const isChanged = !webhooks.isPending && isChangedSince(delivery, attempt, today);
  const changes = useQuery({
    ...changesQuery(enterprise.id, attempt.started, today?.modified),
    enabled: mayRead && isChanged,
  });
  if (webhooks.isPending || (changes.isLoading && changes.failureCount === 0)) {
    return { origin: undefined, standing: "asked" };
  }
  const unchanged: Changes = { entries: [], isAll: true };
  return addressAt(delivery, attempt, isChanged ? changes.data : unchanged);
};
