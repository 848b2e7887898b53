import { Tabs } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useTranslation } from "../../base/i18n.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { useMay, useSession } from "../session.ts";
import { EnterpriseUse } from "./enterprise-use.tsx";
import { periodFault, periodOf } from "./period.ts";
import { PeriodPicker } from "./period-picker.tsx";
import { SessionStatistics } from "./session-statistics.tsx";
import { TicketStatistics } from "./ticket-statistics.tsx";
import type { StatisticsTab } from "./search.ts";
import { useEffect, useState } from "react";
import { dayIn } from "./days.ts";

export function StatisticsPage() {
  const { t } = useTranslation("statistics");
  const search = useSearch({ from: "/signed-in/statistics" });
  const navigate = useNavigate({ from: "/statistics" });
  const { enterprise } = useSession();
  const maySeeUse = useMay("enterprises.read");
  const today = useToday(enterprise.time_zone);
  const period = periodOf(search, today);
  const fault = periodFault(period);
  const tab = search.tab === "use" && !maySeeUse ? "tickets" : (search.tab ?? "tickets");
  const shared = { period, today };
  return (
    <>
      <PageHeader title={t("title")} note={t("note", { zone: enterprise.time_zone })} />
      <PeriodPicker period={period} today={today} fault={fault} />
      <Tabs
        value={tab}
        onChange={(next) =>
          void navigate({ search: (was) => ({ ...was, tab: next as StatisticsTab }) })
        }
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="tickets">{t("tab.tickets")}</Tabs.Tab>
          <Tabs.Tab value="meetings">{t("tab.sessions")}</Tabs.Tab>
          {maySeeUse ? <Tabs.Tab value="use">{t("tab.use")}</Tabs.Tab> : null}
        </Tabs.List>
        <Tabs.Panel value="tickets">
          {fault === undefined ? <TicketStatistics {...shared} /> : null}
        </Tabs.Panel>
        <Tabs.Panel value="meetings">
          {fault === undefined ? <SessionStatistics {...shared} /> : null}
        </Tabs.Panel>
        <Tabs.Panel value="use">
          {fault === undefined ? <EnterpriseUse {...shared} /> : null}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** The current day in a time zone; updates at midnight. */
export function useToday(timeZone: string): string {
  const [today, setToday] = useState(() => dayIn(timeZone, new Date()));
  useEffect(() => {
    const timer = setInterval(() => setToday(dayIn(timeZone, new Date())), 60_000);
    return () => clearInterval(timer);
  }, [timeZone]);
  return today;
}
