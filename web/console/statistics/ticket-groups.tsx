import { Table, Text } from "@mantine/core";
import { useTranslation } from "../../base/i18n.ts";
import { formatDuration, formatNumber, formatShare } from "../../base/format.ts";
import type { TicketSummary } from "./ticket-figures.ts";
import classes from "./statistics.module.css";

/** Tickets by service and by agent; the API returns only the largest ones. */
export function TicketGroups({ summary: { services, agents } }: { summary: TicketSummary }) {
  const { t } = useTranslation("statistics");
  return services.length === 0 ? null : (
    <div className={classes["charts"]}>
      <Groups label={t("group_table.services")} rows={services} />
      <Groups label={t("group_table.agents")} rows={agents} />
    </div>
  );
}

type Group = TicketSummary["agents"][number];

function Groups({ label, rows }: { label: string; rows: readonly Group[] }) {
  const { t } = useTranslation("statistics");
  return (
    <section className={classes["card"]} aria-label={label}>
      <Text fw={600}>{label}</Text>
      <div className={classes["groups"]} role="region" aria-label={label} tabIndex={0} data-scrolls>
        <Table stickyHeader verticalSpacing={4} aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("group_table.name")}</Table.Th>
              <Table.Th ta="right">{t("group_table.tickets")}</Table.Th>
              <Table.Th ta="right">{t("tile.answered")}</Table.Th>
              <Table.Th ta="right">{t("tile.calls")}</Table.Th>
              <Table.Th ta="right">{t("tile.call")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ id, name, tickets, answered, calls, call_seconds: seconds }) => (
              <Table.Tr key={id}>
                <Table.Td>{name === "" ? t("group_table.nobody") : name}</Table.Td>
                <Table.Td ta="right">{formatNumber(tickets)}</Table.Td>
                <Table.Td ta="right">{formatShare(answered / tickets)}</Table.Td>
                <Table.Td ta="right">{formatNumber(calls)}</Table.Td>
                <Table.Td ta="right">
                  {calls === 0 ? "–" : formatDuration((seconds / calls) * 1_000)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </section>
  );
}
