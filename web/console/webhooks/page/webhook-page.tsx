import { Anchor, Button, Group, Skeleton, Stack } from "@mantine/core";
import { IconChevronLeft, IconPencil } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { lazyPart } from "../../../components/lazy-part.tsx";
import { PageHeader } from "../../../components/page-header.tsx";
import { PartBoundary } from "../../../components/error-boundary.tsx";
import { useMay } from "../../session.ts";
import { ActiveSwitch } from "../active-switch.tsx";
import { liveQuery, webhookQuery } from "../data.ts";
import { useFreshSecret } from "../fresh-secret.ts";
import { useNameOf } from "../names.ts";
import { HealthBadge } from "../health-badge.tsx";
import { FreshSecret } from "./fresh-secret.tsx";
import { Health } from "./health.tsx";
import { LastDeliveries } from "./last-deliveries.tsx";
import { readTabSearch, type WebhookTab, webhookTabs } from "./tab-search.ts";
import { TestSend } from "./test-send.tsx";
import type { Webhook } from "../types.ts";
import { PageFault } from "../../shell/page-fault.tsx";
import classes from "../../../components/section-nav.module.css";

/** A webhook, in tabs: overview, deliveries, settings and signing. */
export function WebhookPage() {
  const { webhookId } = useParams({ strict: false });
  const { tab = "overview" } = readTabSearch(useSearch({ strict: false }));
  const { data, error, refetch } = useQuery(webhookQuery(Number(webhookId)));
  const secret = useFreshSecret(Number(webhookId));
  if (data === undefined) {
    return error === null ? (
      <Skeleton height={560} />
    ) : (
      <PageFault error={error} onRetry={() => void refetch()} />
    );
  }
  return (
    <>
      <Head webhook={data} />
      <Tabs webhookId={data.id} current={tab} />
      {secret === undefined ? null : <FreshSecret secret={secret} />}
      <PartBoundary placeholder={<Skeleton height={480} />}>
        <TabOf webhook={data} tab={tab} key={data.id} />
      </PartBoundary>
    </>
  );
}

function Head({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation("webhooks");
  const { t: common } = useTranslation();
  const mayWrite = useMay("webhooks.write");
  const { data: live } = useQuery(liveQuery);
  const name = useNameOf()(webhook);
  const params = { webhookId: String(webhook.id) };
  return (
    <>
      <Anchor component={Link} to="/settings/webhooks" size="sm">
        <Group gap={2} component="span" display="inline-flex">
          <IconChevronLeft size={14} aria-hidden /> {t("list.title")}
        </Group>
      </Anchor>
      <PageHeader
        title={name}
        note={t("page.number", { id: webhook.id })}
        badge={<HealthBadge webhook={webhook} live={live?.get(webhook.id)} />}
        actions={
          <>
            <ActiveSwitch webhook={webhook} name={name} hasLabel />
            {mayWrite ? (
              <Button
                variant="default"
                renderRoot={(props) => (
                  <Link to="/settings/webhooks/$webhookId/edit" params={params} {...props} />
                )}
                leftSection={<IconPencil size={16} aria-hidden />}
              >
                {common("action.edit")}
              </Button>
            ) : null}
          </>
        }
      />
    </>
  );
}

type TabsProps = Readonly<{ webhookId: number; current: WebhookTab }>;

/** The tabs of the page; each has its own URL. */
export function Tabs({ webhookId, current }: TabsProps) {
  const { t } = useTranslation("webhooks");
  return (
    <nav className={classes["nav"]} aria-label={t("page.tabs")}>
      {webhookTabs.map((tab) => (
        <Link
          key={tab}
          to="/settings/webhooks/$webhookId"
          params={{ webhookId: String(webhookId) }}
          search={tab === "overview" ? {} : { tab }}
          className={classes["item"] ?? ""}
          activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
          {...(tab === current ? { "aria-current": "page" as const } : {})}
        >
          {t(`page.tab.${tab}`)}
        </Link>
      ))}
    </nav>
  );
}

const SettingsTab = lazyPart(async () => (await import("./settings-tab.tsx")).SettingsTab);

const SigningTab = lazyPart(async () => (await import("./signing-tab.tsx")).SigningTab);

const UndecryptableNotice = lazyPart(
  async () => (await import("./undecryptable-notice.tsx")).UndecryptableNotice,
);

function TabOf({ webhook, tab }: { webhook: Webhook; tab: WebhookTab }) {
  switch (tab) {
    case "overview":
      return <Overview webhook={webhook} />;
    case "deliveries":
      return <LastDeliveries webhook={webhook} />;
    case "settings":
      return <SettingsTab webhook={webhook} />;
    case "signing":
      return <SigningTab webhook={webhook} />;
  }
}

/** The overview for troubleshooting: health, failures and test. */
function Overview({ webhook }: { webhook: Webhook }) {
  const mayWrite = useMay("webhooks.write");
  return (
    <Stack gap="md">
      {webhook.undecryptable.length === 0 ? null : (
        <PartBoundary placeholder={<Skeleton height={130} />}>
          <UndecryptableNotice webhook={webhook} />
        </PartBoundary>
      )}
      <Health webhook={webhook} />
      <LastDeliveries webhook={webhook} isShort />
      {webhook.mode === "push" && mayWrite ? <TestSend webhook={webhook} /> : null}
    </Stack>
  );
}
