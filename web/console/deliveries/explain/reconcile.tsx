import { Button, Group, Paper, Progress, SegmentedControl, Stack, Text } from "@mantine/core";
import { IconShieldCheck, IconShieldX } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { formatNumber } from "../../../base/format.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { shortTime } from "../local-time.ts";
import { isPeriod, periods, periodStart, toBound, type PeriodName } from "../log/search.ts";
import type { Reconciliation } from "../model.ts";
import { counted } from "../labels.ts";
import { Gaps } from "./gaps.tsx";
import type { QuestionSearch } from "./explain-search.ts";
import { retryPages } from "./retry-pages.ts";
import classes from "./explain.module.css";

type ReconcileProps = Readonly<{
  search: QuestionSearch;
  go: (search: QuestionSearch) => void;
}>;

/** Reconciliation: compares all events of a period with the deliveries of each webhook. */
export function Reconcile({ search, go }: ReconcileProps) {
  const { t } = useTranslation("deliveries");
  const period = isPeriod(search.period) ? search.period : "day";
  const comparison = useReconciliation(period);
  const { data, error, hasNextPage, refetch } = comparison;
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed" maw={620}>
        {t("reconcile.note")}
      </Text>
      <Group>
        <SegmentedControl
          size="xs"
          aria-label={t("filter.period")}
          data={periods.map((one) => ({ value: one, label: t(`period.${one}`) }))}
          value={period}
          onChange={(next) => go({ part: "period", period: next })}
        />
      </Group>
      {data === undefined && error === null ? (
        <Progress value={100} animated striped aria-label={t("reconcile.comparing")} />
      ) : null}
      {data === undefined ? null : (
        <Result parts={data.pages} isDone={!hasNextPage && error === null} />
      )}
      {error === null ? null : (
        <ErrorBox error={error} onRetry={() => void retryPages(comparison)} />
      )}
      {data === undefined ? null : (
        <Group>
          <Button size="xs" variant="default" onClick={() => void refetch()}>
            {t("reconcile.again")}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Compares a period in chunks of about 20,000 events, until its end or until unmount. */
function useReconciliation(period: PeriodName) {
  const parts = useInfiniteQuery({
    queryKey: ["deliveries", "reconcile", period],
    // Relative to now, even on a second run.
    queryFn: ({ pageParam }) =>
      call(
        api.GET("/api/webhooks/reconcile", {
          params: { query: pageParam === "" ? boundsOf(period) : { cursor: pageParam } },
        }),
      ),
    initialPageParam: "",
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    staleTime: Infinity,
    gcTime: 0, // a cached result would end at an earlier "now"
    refetchOnWindowFocus: false,
  });
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = parts;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) {
      void fetchNextPage();
    }
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  return parts;
}

/** Open-ended, so that the server's clock decides and the current second is included. */
function boundsOf(period: PeriodName): { since: string } {
  return {
    since: toBound(periodStart(period, new Date())),
  };
}

function Result({ parts, isDone }: { parts: readonly Reconciliation[]; isDone: boolean }) {
  const { t } = useTranslation("deliveries");
  const sum = sumOf(parts);
  const [first] = parts;
  return (
    <Stack gap="md">
      <Paper withBorder p="md">
        <Headline missing={sum.gaps.length} isDone={isDone} />
        <Text size="sm" mt={6}>
          {t("reconcile.compared", {
            ...{ of_events: sum.events, of_expected: sum.expected, of_found: sum.found },
            events: formatNumber(sum.events),
            expected: formatNumber(sum.expected),
            found: formatNumber(sum.found),
          })}{" "}
          {sum.waiting === 0 ? "" : t("reconcile.waiting", { number: formatNumber(sum.waiting) })}{" "}
          {sum.undetermined === 0
            ? ""
            : t("reconcile.undetermined", { number: formatNumber(sum.undetermined) })}
        </Text>
        {first?.clamped === true ? (
          <Text size="xs" c="dimmed" mt={4}>
            {t("reconcile.clamped", { since: shortTime(first.kept_since) })}
          </Text>
        ) : null}
        {isDone ? null : (
          <Progress mt="sm" value={100} animated striped aria-label={t("reconcile.comparing")} />
        )}
      </Paper>
      <Gaps gaps={sum.gaps} />
    </Stack>
  );
}

const summed = ["events", "expected", "found", "waiting", "undetermined"] as const;

function sumOf(parts: readonly Reconciliation[]) {
  const sum = (name: (typeof summed)[number]): number =>
    parts.reduce((all, part) => all + part[name], 0);
  const gaps = parts.flatMap((part) => part.gaps);
  return {
    ...{ events: sum("events"), expected: sum("expected"), found: sum("found") },
    ...{ waiting: sum("waiting"), undetermined: sum("undetermined"), gaps },
  };
}

function Headline({ missing, isDone }: { missing: number; isDone: boolean }) {
  const { t } = useTranslation("deliveries");
  const isComplete = missing === 0;
  const Picture = isComplete ? IconShieldCheck : IconShieldX;
  return (
    <div className={classes["headline"]} data-good={isComplete || undefined} role="status">
      <Picture size={28} stroke={1.6} aria-hidden />
      <span>
        {isDone || !isComplete ? t("reconcile.missing", counted(missing)) : t("reconcile.so_far")}
      </span>
    </div>
  );
}
