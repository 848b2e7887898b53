import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { formatDuration } from "../../../base/format.ts";
import { CopyText } from "../../../components/copy-button.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { useMay } from "../../session.ts";
import { servicesQuery } from "../queries.ts";
import type { Ticket } from "../types.ts";
import { Card, Facts } from "./card.tsx";
import classes from "./detail.module.css";

type Fact = readonly [string, ReactNode];

const priorities = ["1", "2", "3", "4"] as const;

/** What it is about, and how it is planned. */
export function SubjectCard({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation("tickets");
  const service = useServiceName(ticket);
  const priority = priorities.find((known) => known === String(ticket.priority));
  const length = Date.parse(ticket.end_time) - Date.parse(ticket.start_time);
  const facts: Fact[] = [
    [t("column.agent"), ticket.agent === "" ? t("detail.no_agent") : ticket.agent],
    ...factIfSet(
      t("field.reference"),
      ticket.reference,
      <CopyText key="r" value={ticket.reference} name={t("field.reference")} />,
    ),
    ...(priority === undefined ? [] : factIfSet(t("field.priority"), t(`priority.${priority}`))),
    ...factIfSet(t("column.service"), service),
    ...factIfSet(t("field.type"), ticket.type),
    ...factIfSet(t("field.language"), ticket.language),
    [
      t("field.start"),
      <span key="s">
        <RelativeTime at={ticket.start_time} />, {formatDuration(length)}
      </span>,
    ],
    [t("detail.modified"), <RelativeTime key="m" at={ticket.modified} />],
  ];
  return (
    <Card title={t("detail.matter")}>
      {ticket.description === null ? null : (
        <Text size="sm" mb="xs" className={classes["description"] ?? ""}>
          {ticket.description}
        </Text>
      )}
      <Facts facts={facts} />
    </Card>
  );
}

function useServiceName({ service_key: key }: Ticket): string | null {
  const { data } = useQuery({ ...servicesQuery, enabled: useMay("services.read") });
  return data?.find(({ service_key: known }) => known === key)?.name ?? null;
}

function factIfSet(name: string, value: string | null, shown?: ReactNode): Fact[] {
  return value === null || value === "" ? [] : [[name, shown ?? value]];
}
