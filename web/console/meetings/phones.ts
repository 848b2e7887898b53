import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { readByLength, type ReadPhone } from "./contacts.ts";

const plansQuery = queryOptions({
  queryKey: ["phones"],
  queryFn: async () => (await import("./read-phone.ts")).readPhone,
  networkMode: "always",
  ...{ staleTime: Infinity, gcTime: Infinity },
});

/**
 * Reads phone numbers. The numbering plans are large: they come once `prepare` is called, when
 * somebody is about to write whom to invite. What they do not tell, the service does.
 */
export function usePhones(): Readonly<{ readPhone: ReadPhone; prepare: () => void }> {
  const client = useQueryClient();
  const { data } = useQuery({ ...plansQuery, enabled: false });
  return {
    readPhone: data ?? readByLength,
    prepare: () => void client.query(plansQuery).catch(() => undefined),
  };
}
