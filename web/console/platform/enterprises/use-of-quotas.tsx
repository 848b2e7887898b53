import { Progress, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, call } from "../../../base/api.ts";
import type { components } from "../../../base/api-types.ts";
import { formatBytes, formatNumber } from "../../../base/format.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { enterprisesKey } from "./queries.ts";

type Use = components["schemas"]["QuotaUse"];

type LineProps = Readonly<{ name: string; use: Use; format: (value: number) => string }>;

const Line = ({ name, use: { used, max }, format }: LineProps) => {
  const { t } = useTranslation("platform");
  const share = max === null || max === 0 ? 0 : Math.min(100, (100 * used) / max);
  return (
    <div>
      <Text size="sm">
        {name}: <b>{format(used)}</b>{" "}
        <Text span c="dimmed">
          {max === null ? t("quota.no_bound") : t("quota.of", { max: format(max) })}
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
};

/** How much of what it may use an enterprise uses. */
export const UseOfQuotas = ({ enterpriseId }: { enterpriseId: number }) => {
  const { t } = useTranslation("platform");
  const { data, error } = useQuery({
    queryKey: [...enterprisesKey, "quota", enterpriseId],
    queryFn: () =>
      call(
        api.GET("/api/enterprises/{enterpriseId}/quota", { params: { path: { enterpriseId } } }),
      ),
  });
  if (error !== null) {
    return <ErrorBox error={error} />;
  }
  return (
    <div>
      <Title order={3} mb="xs">
        {t("quota.title")}
      </Title>
      {data === undefined ? (
        <Skeleton height={84} />
      ) : (
        <Stack gap="xs">
          <Line name={t("quota.users")} use={data.users} format={formatNumber} />
          <Line name={t("quota.media")} use={data.media_bytes} format={formatBytes} />
          <Line name={t("quota.sms")} use={data.sms_per_day} format={formatNumber} />
        </Stack>
      )}
    </div>
  );
};
