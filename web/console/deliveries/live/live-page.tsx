import { Button, Group } from "@mantine/core";
import { IconWebhook } from "@tabler/icons-react";
import { Link, useSearch } from "@tanstack/react-router";
import { useMemo, useState, useSyncExternalStore } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { useMay } from "../../session.ts";
import { Charts, WaitingCharts } from "./charts.tsx";
import { liveColumns } from "./columns.ts";
import { ConnectionBadge, ConnectionNote } from "./connection.tsx";
import { FailingBanner } from "./failing-banner.tsx";
import { History } from "./history.tsx";
import { readNowSearch } from "./period.ts";
import { PeriodPicker } from "./period-picker.tsx";
import type { LiveState } from "./state.ts";
import { Tail } from "./tail.tsx";
import { Tiles } from "./tiles.tsx";
import { WebhookList } from "./webhook-list.tsx";
import classes from "./live.module.css";
import { createLiveStore } from "./store.ts";

/** Live delivery status: health, failures, and where to look. */
export function NowPage() {
  const state = useLive();
  const search = readNowSearch(useSearch({ strict: false }));
  if (state.view?.webhooks.length === 0) {
    return <NoWebhooks />;
  }
  return (
    <>
      <Group className={classes["bar"] ?? ""} justify="space-between">
        <ConnectionBadge state={state} />
        <PeriodPicker search={search} />
      </Group>
      <ConnectionNote state={state} />
      <FailingBanner state={state} />
      <Tiles state={state} />
      {search.period === undefined ? <LiveCharts state={state} /> : <History search={search} />}
      <WebhookList state={state} />
      <Tail state={state} />
    </>
  );
}

/** The live data, while mounted. */
export function useLive(): LiveState {
  const [store] = useState(createLiveStore);
  return useSyncExternalStore(store.subscribe, store.get);
}

/** Without a webhook there is nothing to show. */
function NoWebhooks() {
  const { t } = useTranslation("deliveries");
  const mayWrite = useMay("webhooks.write");
  return (
    <EmptyState
      icon={IconWebhook}
      title={t("now.empty.title")}
      text={t(mayWrite ? "now.empty.text" : "now.empty.read")}
      action={
        mayWrite ? (
          <Button component={Link} to="/settings/webhooks/new">
            {t("now.empty.new")}
          </Button>
        ) : undefined
      }
    />
  );
}

function LiveCharts({ state }: { state: LiveState }) {
  const { t } = useTranslation("deliveries");
  const columns = useMemo(() => liveColumns(state.buckets), [state.buckets]);
  return state.view === undefined ? (
    <WaitingCharts />
  ) : (
    <Charts columns={columns} unit={t("now.per_second_long")} isWhole={false} />
  );
}
