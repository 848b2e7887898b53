import { Alert, Skeleton, Stack } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { useFault } from "../../../components/use-fault.ts";
import { Figures } from "./figures.tsx";
import { Parts } from "./parts.tsx";
import { healthQuery, queuesQuery } from "./queries.ts";
import { RunbookPanel } from "./runbook-panel.tsx";
import { QueueTables } from "./queue-tables.tsx";
import { Schedule } from "./schedule.tsx";

/** Platform health: which component is slow, since when, the remedy, and the numbers. */
export function HealthPage() {
  const result = useQuery(healthQuery);
  const fault = useFault(result);
  const { data: health, error, refetch } = result;
  if (fault !== null) {
    return <ErrorBox error={fault} onRetry={() => void refetch()} />;
  }
  return (
    <>
      {error !== null && health !== undefined ? <Old at={health.at} /> : null}
      {health === undefined ? <Skeleton height={430} mb="md" /> : <Parts health={health} />}
      <Numbers />
      <RunbookPanel />
    </>
  );
}

/** The server is unreachable; the shown data is stale. */
function Old({ at }: { at: string }) {
  const { t } = useTranslation("platform");
  return (
    <Alert
      color="red"
      variant="light"
      mb="md"
      icon={<IconPlugConnectedX aria-hidden />}
      title={t("old.title")}
      role="alert"
    >
      {t("old.shown_is_from")} <RelativeTime at={at} />. {t("old.by_itself")}
    </Alert>
  );
}

function Numbers() {
  const result = useQuery(queuesQuery);
  const fault = useFault(result);
  const { data: queues } = result;
  if (fault !== null) {
    return <ErrorBox error={fault} onRetry={() => void result.refetch()} />;
  }
  if (queues === undefined) {
    return (
      <Stack>
        <Skeleton height={170} />
        <Skeleton height={420} />
      </Stack>
    );
  }
  return (
    <>
      <Figures queues={queues} />
      <QueueTables queues={queues} />
      <Schedule passes={queues.schedule} />
    </>
  );
}
