import { Table } from "@mantine/core";
import { useTranslation } from "../../../base/i18n.ts";
import { clockText, formatDuration, formatNumber, formatPace } from "../../../base/format.ts";
import { Section } from "../../../components/section.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import type { DeliveryQueue, Queues, TaskQueue } from "./queries.ts";
import { Figure, Frame, Heads, Name } from "./cells.tsx";

const queueColumns = ["waiting", "active", "delayed", "failed", "workers"] as const;

const taskColumns = ["due", "running", "failed"] as const;

const rateColumns = ["incoming", "delivered", "failed"] as const;

export function QueueTables({ queues }: { queues: Queues }) {
  const { t } = useTranslation("platform");
  const { rates } = queues;
  return (
    <>
      <Section
        title={t("queue.deliveries")}
        note={`${t("queue.note", { backend: t(`backend.${queues.backend}`) })} ${t("rate.note", {
          span: formatDuration(rates.seconds * 1_000),
          time: clockText(rates.until),
        })}`}
      >
        <DeliveryQueues queues={queues.deliveries} />
      </Section>
      <Section title={t("queue.tasks")} note={t("queue.tasks_note")}>
        <TaskQueues taskQueues={queues.queues} />
      </Section>
    </>
  );
}

function DeliveryQueues({ queues }: { queues: readonly DeliveryQueue[] }) {
  const { t } = useTranslation("platform");
  return (
    <Frame label={t("queue.deliveries")}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t("queue.object")}</Table.Th>
          <Heads names={rateColumns.map((column) => t(`rate.${column}`))} />
          <Heads names={[...queueColumns, "oldest" as const].map((one) => t(`queue.${one}`))} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {queues.map((queue) => (
          <Table.Tr key={queue.object}>
            <Name name={t(`object.${queue.object}`)} queue={queue.queue} />
            <Rates queue={queue} />
            <QueueCells queue={queue} />
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Frame>
  );
}

function Rates({ queue }: { queue: DeliveryQueue }) {
  const { t } = useTranslation("platform");
  return rateColumns.map((column) => {
    const rate = queue[`${column}_per_second`];
    return (
      <Figure key={column} label={t(`rate.${column}`)} isBad={column === "failed" && rate > 0}>
        {rate === 0 ? "0" : formatPace(rate)}
      </Figure>
    );
  });
}

function TaskQueues({ taskQueues }: { taskQueues: readonly TaskQueue[] }) {
  const { t } = useTranslation("platform");
  return (
    <Frame label={t("queue.tasks")}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t("queue.kind")}</Table.Th>
          <Heads names={(["done", ...taskColumns] as const).map((one) => t(`task.${one}`))} />
          <Heads names={[...queueColumns, "oldest" as const].map((one) => t(`queue.${one}`))} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {taskQueues.map((one) => (
          <Table.Tr key={one.kind}>
            <Name name={t(`part_name.${one.kind}`)} queue={one.queue} />
            <Tasks tasks={one.tasks} />
            <QueueCells queue={one} />
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Frame>
  );
}

function Tasks({ tasks }: Pick<TaskQueue, "tasks">) {
  const { t } = useTranslation("platform");
  return (
    <>
      <Figure label={t("task.done")}>
        {tasks.done_last_minute === 0 ? "0" : formatPace(tasks.done_last_minute / 60)}
      </Figure>
      {taskColumns.map((column) => (
        <Figure key={column} label={t(`task.${column}`)}>
          {formatNumber(tasks[column])}
        </Figure>
      ))}
    </>
  );
}

function QueueCells({ queue }: { queue: DeliveryQueue | TaskQueue }) {
  const { t } = useTranslation("platform");
  return (
    <>
      {queueColumns.map((column) => (
        <Figure key={column} label={t(`queue.${column}`)} isBad={isBad(queue, column)}>
          {numberOf(queue[column])}
        </Figure>
      ))}
      <Figure label={t("queue.oldest")}>
        <Oldest queue={queue} />
      </Figure>
    </>
  );
}

function isBad(queue: DeliveryQueue | TaskQueue, column: (typeof queueColumns)[number]): boolean {
  return (
    (column === "failed" && (queue.failed ?? 0) > 0) ||
    (column === "workers" && queue.workers === 0)
  );
}

function numberOf(value: number | null): string {
  return value === null ? "–" : formatNumber(value);
}

function Oldest({ queue }: { queue: DeliveryQueue | TaskQueue }) {
  const { t } = useTranslation("platform");
  if (!queue.reachable) {
    return <StateBadge meaning="bad">{t("queue.away")}</StateBadge>;
  }
  return queue.oldest_waiting_seconds === null
    ? "–"
    : formatDuration(queue.oldest_waiting_seconds * 1_000);
}
