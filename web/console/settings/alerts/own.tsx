import { Select } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { Section } from "../../../components/section.tsx";
import { showFault } from "../../../components/show-fault.tsx";
import { useMay } from "../../session.ts";
import classes from "./alerts.module.css";
import { DurationSelect } from "./duration-select.tsx";
import { failingChoices, pastDueChoices } from "./durations.ts";
import {
  alertsQuery,
  changeOwnAlerts,
  webhookNamesQuery,
  type AlertSettings,
  type OwnThresholds,
} from "./queries.ts";

type Row = OwnThresholds & Readonly<{ name: string }>;

type Change = Readonly<{ id: number; body: Partial<Omit<OwnThresholds, "id">> }>;

/** Thresholds of single webhooks, which override the company's; saved on change. */
export function OwnAlerts({ settings }: { settings: AlertSettings }) {
  const { t } = useTranslation("settings");
  const queries = useQueryClient();
  const mayChange = useMay("webhooks.write");
  const { data: webhooks } = useQuery(webhookNamesQuery);
  const { mutate } = useMutation({
    mutationFn: ({ id, body }: Change) => changeOwnAlerts(id, body),
    onSettled: () => queries.invalidateQueries({ queryKey: alertsQuery.queryKey, exact: true }),
    onError: showFault,
  });
  const own = new Map(settings.webhooks.map((one) => [one.id, one]));
  const none = { failing_minutes: null, past_due_minutes: null, failed_deliveries: null };
  const rows = webhooks?.map(({ id, name }): Row => ({
    ...(own.get(id) ?? none),
    id,
    name: name === "" ? t("alerts.unnamed", { id }) : name,
  }));
  return rows?.length === 0 ? null : (
    <Section title={t("alerts.own")} note={t("alerts.own_note")}>
      {rows?.map((row) => (
        <OwnRow key={row.id} row={row} isFixed={!mayChange} onChange={mutate} />
      ))}
    </Section>
  );
}

type RowProps = Readonly<{ row: Row; isFixed: boolean; onChange: (change: Change) => void }>;

function OwnRow({ row, isFixed, onChange }: RowProps) {
  const { t } = useTranslation("settings");
  const { id, name } = row;
  const asCompany = t("alerts.as_company");
  const shared = { isFixed, isSmall: true, whenNull: asCompany } as const;
  return (
    <div role="group" aria-label={name} className={classes["own"]}>
      <Link to="/settings/webhooks/$webhookId" params={{ webhookId: String(id) }}>
        {name}
      </Link>
      <DurationSelect
        {...shared}
        label={t("alerts.failing")}
        choices={failingChoices}
        value={row.failing_minutes}
        onChange={(minutes) => onChange({ id, body: { failing_minutes: minutes } })}
      />
      <DurationSelect
        {...shared}
        label={t("alerts.past_due")}
        choices={pastDueChoices}
        value={row.past_due_minutes}
        onChange={(minutes) => onChange({ id, body: { past_due_minutes: minutes } })}
      />
      <Select
        label={t("alerts.failed")}
        size="xs"
        allowDeselect={false}
        disabled={isFixed}
        data={[
          { value: "company", label: asCompany },
          { value: "yes", label: t("alerts.yes") },
          { value: "no", label: t("alerts.never") },
        ]}
        value={choiceOf(row.failed_deliveries)}
        onChange={(chosen) => onChange({ id, body: { failed_deliveries: flagOf(chosen) } })}
      />
    </div>
  );
}

function choiceOf(flag: boolean | null): string {
  if (flag === null) {
    return "company";
  }
  return flag ? "yes" : "no";
}

function flagOf(value: string | null): boolean | null {
  return value === "company" ? null : value === "yes";
}
