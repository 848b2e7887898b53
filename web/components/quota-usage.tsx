import { Progress, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../base/i18n.ts";
import { api, call } from "../base/api.ts";
import { colon, formatBytes, formatNumber } from "../base/format.ts";
import { ErrorBox } from "./error-box.tsx";

type UseOfQuotasProps = Readonly<{
  enterpriseId: number;
  /** Starts with the area's name, so that a change in that area invalidates it. */
  queryKey: readonly (string | number)[];
}>;

/** Quota usage of an enterprise. */
export function QuotaUsage({ enterpriseId, queryKey }: UseOfQuotasProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () =>
      call(
        api.GET("/api/enterprises/{enterpriseId}/quota", { params: { path: { enterpriseId } } }),
      ),
  });
  if (error !== null) {
    return <ErrorBox error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) {
    return <Skeleton height={84} />;
  }
  return (
    <Stack gap="xs">
      <Line name={t("quota.users")} {...data.users} format={formatNumber} />
      <Line name={t("quota.files")} {...data.media_bytes} format={formatBytes} />
      <Line name={t("quota.sms")} {...data.sms_per_day} format={formatNumber} />
    </Stack>
  );
}

type LineProps = Readonly<{
  name: string;
  used: number;
  max: number | null;
  format: (value: number) => string;
}>;

function Line({ name, used, max, format }: LineProps) {
  const { t } = useTranslation();
  const share = max === null || max === 0 ? 0 : Math.min(100, (100 * used) / max);
  return (
    <div>
      <Text size="sm">
        {name}
        {colon()} <b>{format(used)}</b>{" "}
        <Text span c="dimmed">
          {max === null ? t("quota.unbounded") : t("quota.of", { max: format(max) })}
        </Text>
      </Text>
      {max === null ? null : (
        <Progress
          value={share}
          size="sm"
          color={share >= 90 ? "red" : "accent"}
          aria-label={name}
        />
      )}
    </div>
  );
}
