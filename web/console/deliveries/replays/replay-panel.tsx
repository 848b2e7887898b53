import { Alert, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { formatRate } from "../../../base/format.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { SidePanel } from "../../../components/side-panel.tsx";
import type { Replay } from "../model.ts";
import { useCriteriaWords, useWebhookName } from "./criteria-words.ts";
import { ReplayCounters, ReplayProgress } from "./progress.tsx";
import { replayQuery } from "./queries.ts";
import { ReplayActions } from "./replay-actions.tsx";
import { ReplayState } from "./replay-state.tsx";
import classes from "./replays.module.css";

type ReplayPanelProps = Readonly<{ openId: number | undefined; onClose: () => void }>;

/** A replay in the detail pane: progress, results and actions. */
export function ReplayPanel({ openId, onClose }: ReplayPanelProps) {
  const { t } = useTranslation("deliveries");
  // Opens after mounting, so that the focus returns to the element that had it before.
  const isThere = useMounted();
  return (
    <SidePanel
      isOpen={isThere && openId !== undefined}
      onClose={onClose}
      title={<strong>{t("replay.title", { id: openId ?? "" })}</strong>}
    >
      {openId === undefined ? null : <Loaded replayId={openId} />}
    </SidePanel>
  );
}

function Loaded({ replayId }: { replayId: number }) {
  const { data, error, refetch } = useQuery(replayQuery(replayId));
  if (data !== undefined) {
    return <Details replay={data} />;
  }
  return error === null ? (
    <Skeleton height={240} />
  ) : (
    <ErrorBox error={error} onRetry={() => void refetch()} />
  );
}

function Details({ replay }: { replay: Replay }) {
  const { t } = useTranslation("deliveries");
  const replayId = String(replay.id);
  const toDead = { replay: replayId, status: "dead" };
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <ReplayState replay={replay} />
        <ReplayActions replay={replay} />
      </Group>
      <ReplayProgress replay={replay} />
      <ReplayCounters replay={replay} />
      {replay.error === null ? null : (
        <Alert color="red" variant="light">
          {t("replay.failed")}
        </Alert>
      )}
      {(replay.skipped ?? 0) === 0 ? null : (
        <Text size="xs" c="dimmed">
          {t("replay.skipped_note")}
        </Text>
      )}
      <Facts replay={replay} />
      <Group gap="md" className={classes["links"] ?? ""}>
        <Link to="/dashboard/deliveries/log" search={{ replay: replayId }}>
          {t("replay.to_log")}
        </Link>
        {replay.dead === 0 ? null : (
          <Link to="/dashboard/deliveries/log" search={toDead}>
            {t("replay.to_dead")}
          </Link>
        )}
      </Group>
    </Stack>
  );
}

function Facts({ replay }: { replay: Replay }) {
  const { t } = useTranslation("deliveries");
  const words = useCriteriaWords();
  const name = useWebhookName();
  const facts = {
    webhook: (
      <Link to="/settings/webhooks/$webhookId" params={{ webhookId: String(replay.webhook) }}>
        {name(replay.webhook)}
      </Link>
    ),
    what: words(replay),
    rate: t("replay.speed", { rate: formatRate(replay.rate) }),
    created: <RelativeTime at={replay.created} />,
    ended: replay.ended === null ? null : <RelativeTime at={replay.ended} />,
  };
  return (
    <dl className={classes["facts"]}>
      {(Object.keys(facts) as (keyof typeof facts)[])
        .filter((key) => facts[key] !== null)
        .map((key) => (
          <div key={key}>
            <dt>{t(`replay_fact.${key}`)}</dt>
            <dd>{facts[key]}</dd>
          </div>
        ))}
    </dl>
  );
}
