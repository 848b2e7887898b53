import { Progress, Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../base/i18n.ts";
import { formatBytes, formatNumber, formatShare } from "../../base/format.ts";
import { ErrorBox } from "../../components/error-box.tsx";
import { useSession } from "../session.ts";
import type { Period } from "./period.ts";
import { enterpriseUseQuery, quotaQuery } from "./queries.ts";
import { Tiles } from "./tiles.tsx";
import classes from "./statistics.module.css";

/** Quota usage of the enterprise, and its usage in the period. */
export function EnterpriseUse({ period }: { period: Period }) {
  const { t } = useTranslation("statistics");
  const { enterprise } = useSession();
  const { data, error, refetch } = useQuery(
    enterpriseUseQuery(enterprise.id, period, enterprise.time_zone),
  );
  const shownNumber = (value: number | undefined): string | undefined =>
    value === undefined ? undefined : formatNumber(value);
  return (
    <>
      <Quotas enterpriseId={enterprise.id} />
      {error === null ? (
        <Tiles
          label={t("use.period")}
          tiles={[
            {
              name: t("use.sms_sent"),
              value: shownNumber(data?.sms_sent),
              note: t("use.in_period"),
            },
            {
              name: t("use.sessions"),
              value: shownNumber(data?.sessions),
              note: t("use.in_period"),
            },
          ]}
        />
      ) : (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      )}
    </>
  );
}

function Quotas({ enterpriseId }: { enterpriseId: number }) {
  const { t } = useTranslation("statistics");
  const { data, error, refetch } = useQuery(quotaQuery(enterpriseId));
  if (error !== null) {
    return <ErrorBox error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) {
    return <Skeleton height={96} mb="md" />;
  }
  return (
    <div className={classes["charts"]}>
      <Quota
        name={t("use.users")}
        note={t("use.users_note")}
        format={formatNumber}
        {...data.users}
      />
      <Quota
        name={t("use.disk")}
        note={t("use.disk_note")}
        format={formatBytes}
        {...data.media_bytes}
      />
      <Quota
        name={t("use.sms")}
        note={t("use.sms_note")}
        format={formatNumber}
        {...data.sms_per_day}
      />
    </div>
  );
}

type QuotaProps = Readonly<{
  name: string;
  note: string;
  used: number;
  max: number | null;
  format: (value: number) => string;
}>;

function Quota({ name, note, used, max, format }: QuotaProps) {
  const { t } = useTranslation("statistics");
  const share = max === null || max === 0 ? 0 : used / max;
  return (
    <section className={classes["card"]} aria-label={name}>
      <div className={classes["quota"]}>
        <Text fw={600}>{name}</Text>
        <Text size="sm">
          {max === null
            ? t("use.no_bound", { used: format(used) })
            : t("use.of", { used: format(used), max: format(max) })}
        </Text>
      </div>
      {max === null ? null : (
        <Progress value={Math.min(100, share * 100)} color={colorOf(share)} aria-label={name} />
      )}
      <Text c="dimmed" size="xs" mt={6}>
        {max === null ? note : t("use.share", { share: formatShare(share), note })}
      </Text>
    </section>
  );
}

function colorOf(share: number): string {
  if (share >= 1) {
    return "var(--bad)";
  }
  return share >= 0.8 ? "var(--warn)" : "var(--accent)";
}
