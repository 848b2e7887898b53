import { Progress, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, call } from "../../../base/api.ts";
import { formatBytes, formatNumber } from "../../../base/format.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { Section } from "../../../components/section.tsx";

type LineProps = Readonly<{
  name: string;
  used: number;
  max: number | null;
  format: (value: number) => string;
}>;

const Line = ({ name, used, max, format }: LineProps) => {
  const { t } = useTranslation("settings");
  const share = max === null || max === 0 ? 0 : Math.min(100, (100 * used) / max);
  return (
    <div>
      <Text size="sm">
        {name}: <b>{format(used)}</b>{" "}
        <Text span c="dimmed">
          {max === null ? t("company.unlimited") : t("company.of", { max: format(max) })}
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

/** How much of what was agreed is used. */
export const Quotas = ({ enterpriseId }: { enterpriseId: number }) => {
  const { t } = useTranslation("settings");
  const { data, error } = useQuery({
    queryKey: ["settings", "quota", enterpriseId],
    queryFn: () =>
      call(
        api.GET("/api/enterprises/{enterpriseId}/quota", { params: { path: { enterpriseId } } }),
      ),
  });
  return (
    <Section title={t("company.quotas")}>
      {error === null ? null : <ErrorBox error={error} />}
      {data === undefined ? (
        <Skeleton height={84} />
      ) : (
        <Stack gap="xs">
          <Line name={t("company.users")} {...data.users} format={formatNumber} />
          <Line name={t("company.media")} {...data.media_bytes} format={formatBytes} />
          <Line name={t("company.sms")} {...data.sms_per_day} format={formatNumber} />
        </Stack>
      )}
    </Section>
  );
};
