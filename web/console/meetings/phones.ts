import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReadPhone } from "../../shared/phone.ts";
import { readByLength } from "./contacts.ts";

const plansQuery = queryOptions({
  queryKey: ["phones"],
  queryFn: async () => (await import("./read-phone.ts")).readPhone,
  networkMode: "always",
  ...{ staleTime: Infinity, gcTime: Infinity },
});

/**
 * Parses phone numbers. The large numbering plans load when `prepare` is called, before the user
 * types guests. The API makes the final check.
 */
export function usePhones(): Readonly<{ readPhone: ReadPhone; prepare: () => void }> {
  const client = useQueryClient();
  const { data } = useQuery({ ...plansQuery, enabled: false });
  return {
    readPhone: data ?? readByLength,
    prepare: () => void client.query(plansQuery).catch(() => undefined),
  };
}
