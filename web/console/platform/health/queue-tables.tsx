import { Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatDuration, formatNumber } from "../../../base/format.ts";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { Section } from "../../../components/section.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import type { DeliveryQueue, Lane, Pass, Queues } from "./queries.ts";
import classes from "../platform.module.css";

const queueColumns = ["waiting", "active", "delayed", "failed", "workers"] as const;
const taskColumns = ["due", "running", "failed", "done_last_minute"] as const;

const numberOf = (value: number | null): string => (value === null ? "–" : formatNumber(value));

const Frame = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={classes["frame"]} role="region" aria-label={label} tabIndex={0}>
    <Table verticalSpacing={6} aria-label={label} className={classes["table"] ?? ""}>
      {children}
    </Table>
  </div>
);

const isBad = (queue: DeliveryQueue | Lane, column: (typeof queueColumns)[number]): boolean =>
  (column === "failed" && (queue.failed ?? 0) > 0) || (column === "workers" && queue.workers === 0);

const QueueCells = ({ queue }: { queue: DeliveryQueue | Lane }) => {
  const { t } = useTranslation("platform");
  return (
    <>
      {queueColumns.map((column) => (
        <Table.Td
          key={column}
          className={classes["number"] ?? ""}
          data-bad={isBad(queue, column) || undefined}
        >
          {numberOf(queue[column])}
        </Table.Td>
      ))}
      <Table.Td className={classes["number"] ?? ""}>
        {queue.reachable ? (
          queue.oldest_waiting_seconds === null ? (
            "–"
          ) : (
            formatDuration(queue.oldest_waiting_seconds * 1_000)
          )
        ) : (
          <StateBadge meaning="bad">{t("queue.away")}</StateBadge>
        )}
      </Table.Td>
    </>
  );
};

const QueueHead = () => {
  const { t } = useTranslation("platform");
  return [...queueColumns, "oldest" as const].map((column) => (
    <Table.Th key={column} className={classes["number"] ?? ""}>
      {t(`queue.${column}`)}
    </Table.Th>
  ));
};

const Name = ({ name, queue }: { name: string; queue: string }) => (
  <Table.Th scope="row">
    {name}
    <Text size="xs" c="dimmed" className="mono" fw={400}>
      {queue}
    </Text>
  </Table.Th>
);

const DeliveryQueues = ({ queues }: { queues: readonly DeliveryQueue[] }) => {
  const { t } = useTranslation("platform");
  return (
    <Frame label={t("queue.deliveries")}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t("queue.object")}</Table.Th>
          <QueueHead />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {queues.map((queue) => (
          <Table.Tr key={queue.object}>
            <Name name={t(`object.${queue.object}`)} queue={queue.queue} />
            <QueueCells queue={queue} />
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Frame>
  );
};

const Lanes = ({ lanes }: { lanes: readonly Lane[] }) => {
  const { t } = useTranslation("platform");
  return (
    <Frame label={t("queue.lanes")}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t("queue.lane")}</Table.Th>
          <QueueHead />
          {taskColumns.map((column) => (
            <Table.Th key={column} className={classes["number"] ?? ""}>
              {t(`task.${column}`)}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lanes.map((lane) => (
          <Table.Tr key={lane.lane}>
            <Name name={t(`part_name.${lane.lane}`)} queue={lane.queue} />
            <QueueCells queue={lane} />
            {taskColumns.map((column) => (
              <Table.Td key={column} className={classes["number"] ?? ""}>
                {formatNumber(lane.tasks[column])}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Frame>
  );
};

export const QueueTables = ({ queues }: { queues: Queues }) => {
  const { t } = useTranslation("platform");
  return (
    <>
      <Section
        title={t("queue.deliveries")}
        note={t("queue.note", { backend: t(`backend.${queues.backend}`) })}
      >
        <DeliveryQueues queues={queues.deliveries} />
      </Section>
      <Section title={t("queue.lanes")} note={t("queue.lanes_note")}>
        <Lanes lanes={queues.lanes} />
      </Section>
    </>
  );
};

const PassState = ({ pass }: { pass: Pass }) => {
  const { t } = useTranslation("platform");
  return pass.failing_since === null ? (
    <StateBadge meaning="good">{t("state.ok")}</StateBadge>
  ) : (
    <>
      <StateBadge meaning="bad">{t("schedule.fails")}</StateBadge>{" "}
      <Text span size="xs" c="dimmed">
        {t("since")} <RelativeTime at={pass.failing_since} /> · {pass.reason}
      </Text>
    </>
  );
};

const failingFirst = (passes: readonly Pass[]): Pass[] =>
  passes.toSorted((a, b) => Number(a.failing_since === null) - Number(b.failing_since === null));

/** What runs again and again: retries, sums, clean-up. */
export const Schedule = ({ passes }: { passes: readonly Pass[] }) => {
  const { t, i18n } = useTranslation("platform");
  const nameOf = (name: string): string =>
    i18n.exists(`platform:pass.${name}`) ? t(`pass.${name}` as "pass.due") : name;
  return (
    <Section title={t("schedule.title")} note={t("schedule.note")}>
      <Frame label={t("schedule.title")}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("schedule.pass")}</Table.Th>
            <Table.Th className={classes["number"] ?? ""}>{t("schedule.every")}</Table.Th>
            <Table.Th>{t("schedule.ran")}</Table.Th>
            <Table.Th className={classes["number"] ?? ""}>{t("schedule.took")}</Table.Th>
            <Table.Th>{t("schedule.state")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {failingFirst(passes).map((pass) => (
            <Table.Tr key={pass.name}>
              <Name name={nameOf(pass.name)} queue={pass.name} />
              <Table.Td className={classes["number"] ?? ""}>
                {formatDuration(pass.every_ms)}
              </Table.Td>
              <Table.Td>
                <RelativeTime at={pass.ran} />
              </Table.Td>
              <Table.Td className={classes["number"] ?? ""}>
                {formatDuration(pass.took_ms)}
              </Table.Td>
              <Table.Td>
                <PassState pass={pass} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Frame>
    </Section>
  );
};
