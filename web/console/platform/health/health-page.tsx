import { Alert, Skeleton, Stack } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ErrorBox } from "../../../components/error-box.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { Figures } from "./figures.tsx";
import { Parts } from "./parts.tsx";
import { healthQuery, queuesQuery, type Queues } from "./queries.ts";
import { RunbookPanel } from "./runbook-panel.tsx";
import { QueueTables } from "./queue-tables.tsx";
import { Schedule } from "./schedule.tsx";

/** The platform does not answer: what is shown is how it was. */
const Old = ({ at }: { at: string }) => {
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
};

const Numbers = ({ queues }: { queues: Queues | undefined }) =>
  queues === undefined ? (
    <Stack>
      <Skeleton height={170} />
      <Skeleton height={420} />
    </Stack>
  ) : (
    <>
      <Figures queues={queues} />
      <QueueTables queues={queues} />
      <Schedule passes={queues.schedule} />
    </>
  );

/** Which part is slow, since when, and what to do; then the numbers behind it. */
export const HealthPage = () => {
  const { data: health, error, refetch } = useQuery(healthQuery);
  const { data: queues } = useQuery(queuesQuery);
  if (error !== null && health === undefined) {
    return <ErrorBox error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      {error !== null && health !== undefined ? <Old at={health.at} /> : null}
      {health === undefined ? <Skeleton height={430} mb="md" /> : <Parts health={health} />}
      <Numbers queues={queues} />
      <RunbookPanel />
    </>
  );
};
