import { Anchor, Button, Group, Skeleton, Stack } from "@mantine/core";
import { IconChevronLeft, IconPencil } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { PageHeader } from "../../../components/page-header.tsx";
import { useMay } from "../../session.ts";
import { ActiveSwitch } from "../active-switch.tsx";
import { liveQuery, webhookQuery } from "../data.ts";
import { situationOf } from "../health-words.ts";
import { useFreshSecret } from "../fresh-secret.ts";
import { useNameOf } from "../names.ts";
import { SituationBadge } from "../situation.tsx";
import { Danger } from "./danger.tsx";
import { FreshSecret } from "./fresh-secret.tsx";
import { Gets } from "./gets.tsx";
import { Health } from "./health.tsx";
import { History } from "./history.tsx";
import { LastDeliveries } from "./last-deliveries.tsx";
import { Limits } from "./limits.tsx";
import { Samples } from "./samples.tsx";
import { Signing } from "./signing.tsx";
import { TestSend } from "./test-send.tsx";
import { Where } from "./where.tsx";
import classes from "./page.module.css";
import type { Webhook } from "../types.ts";

const Head = ({ webhook }: { webhook: Webhook }) => {
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
        badge={<SituationBadge situation={situationOf(webhook, live?.get(webhook.id))} />}
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
};

const Parts = ({ webhook }: { webhook: Webhook }) => {
  const mayWrite = useMay("webhooks.write");
  const secret = useFreshSecret(webhook.id);
  const isPush = webhook.mode === "push";
  return (
    <Stack gap="md">
      {secret === undefined ? null : <FreshSecret secret={secret} />}
      <Health webhook={webhook} />
      <Gets webhook={webhook} />
      <div className={classes["halves"]}>
        <Where webhook={webhook} />
        <Limits webhook={webhook} />
      </div>
      <Signing webhook={webhook} />
      {isPush ? <Samples signatures={webhook.signatures} /> : null}
      {isPush && mayWrite ? <TestSend webhook={webhook} /> : null}
      <LastDeliveries webhookId={webhook.id} />
      <History webhookId={webhook.id} />
      {mayWrite ? <Danger webhook={webhook} /> : null}
    </Stack>
  );
};

/** One webhook: how it does, what it gets, where that goes, how it is signed, what came of it. */
export const WebhookPage = () => {
  const { webhookId } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(webhookQuery(Number(webhookId)));
  if (data === undefined) {
    return error === null ? (
      <Skeleton height={560} />
    ) : (
      <ErrorBox error={error} onRetry={() => void refetch()} />
    );
  }
  return (
    <>
      <Head webhook={data} />
      <Parts webhook={data} key={data.id} />
    </>
  );
};
