import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { formatDuration } from "../../../base/format.ts";
import { CopyText } from "../../../components/copy-button.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { useMay } from "../../session.ts";
import { servicesQuery } from "../queries.ts";
import { fieldRows, fieldValuesOf } from "../ticket-fields.ts";
import type { Ticket } from "../types.ts";
import { Card, Facts } from "./card.tsx";
import { isScheduled } from "./schedule.ts";
import classes from "./detail.module.css";

type Fact = readonly [string, ReactNode];

/** Subject and schedule. */
export function SubjectCard({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation("tickets");
  const service = useServiceName(ticket);
  const fieldFacts = useFieldFacts(ticket);
  const length = Date.parse(ticket.end_time) - Date.parse(ticket.start_time);
  const scheduled: Fact[] = isScheduled(ticket)
    ? [
        [
          t("field.start"),
          <span key="s">
            <RelativeTime at={ticket.start_time} />, {formatDuration(length)}
          </span>,
        ],
      ]
    : [];
  const facts: Fact[] = [
    [t("column.agent"), ticket.agent === "" ? t("detail.no_agent") : ticket.agent],
    ...fieldFacts,
    ...factIfSet(t("column.service"), service),
    ...factIfSet(t("field.type"), ticket.type),
    ...factIfSet(t("field.language"), ticket.language),
    ...scheduled,
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

/** Fields that the table marks as facts. */
function useFieldFacts(ticket: Ticket): Fact[] {
  const words = useTranslation("tickets");
  const values = fieldValuesOf(ticket);
  return fieldRows
    .filter(([, row]) => row.fact !== undefined)
    .flatMap(([name, row]) => {
      const label = words.t(`field.${name}`);
      const value = values[name];
      const choices = "choices" in row ? row.choices(words) : [];
      const text = choices.find((choice) => choice.value === value)?.label ?? value;
      const shown = row.fact === "copy" ? <CopyText key="c" value={text} name={label} /> : text;
      return factIfSet(label, value, shown);
    });
}

function useServiceName({ service_key: key }: Ticket): string | null {
  const { data } = useQuery({ ...servicesQuery, enabled: useMay("services.read") });
  return data?.find(({ service_key: known }) => known === key)?.name ?? null;
}

function factIfSet(name: string, value: string | null, shown?: ReactNode): Fact[] {
  return value === null || value === "" ? [] : [[name, shown ?? value]];
}
