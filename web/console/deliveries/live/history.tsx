import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { clockText, formatDuration } from "../../../base/format.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { Charts, WaitingCharts } from "./charts.tsx";
import { seriesColumns } from "./columns.ts";
import { boundsOf, refreshMs, type NowSearch } from "./period.ts";

/** Charts over a longer period. */
export function History({ search }: { search: NowSearch }) {
  const { t } = useTranslation("deliveries");
  const { data, error, refetch } = useQuery(seriesQuery(search));
  const columns = useMemo(() => (data === undefined ? undefined : seriesColumns(data)), [data]);
  if (error !== null) {
    return <ErrorBox error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined || columns === undefined) {
    return <WaitingCharts />;
  }
  const step = formatDuration(data.step_seconds * 1_000);
  const { counted_until: until } = data;
  const unit = [
    t("now.chart.per_step", { step }),
    ...(until === null || isOver(search)
      ? []
      : [t("now.chart.counted", { time: clockText(until) })]),
  ].join(" · ");
  return <Charts columns={columns} unit={unit} isWhole />;
}

function seriesQuery(search: NowSearch) {
  return queryOptions({
    queryKey: ["deliveries", "series", search],
    queryFn: () =>
      call(api.GET("/api/webhooks/series", { params: { query: boundsOf(search, new Date()) } })),
    refetchInterval: refreshMs(search),
    placeholderData: keepPreviousData,
  });
}

/** The period ended long enough ago that its counts are final. */
function isOver({ period, until }: NowSearch): boolean {
  return period === "custom" && until !== undefined;
}
