import { Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import type { components } from "../../../base/api-types.ts";
import { formatNumber, formatShort } from "../../../base/format.ts";
import { retryBusy } from "../../../base/retry.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { DateRangeField } from "../../../components/date-range-field.tsx";
import { showDone } from "../../../components/show-fault.tsx";
import { fromLocal, toLocal } from "../../deliveries/local-time.ts";
import { refreshWebhooks } from "../data.ts";
import type { Webhook } from "../types.ts";

type Preview = components["schemas"]["WebhookRecoveryPreview"];

type RecoverDialogProps = Readonly<{ webhook: Webhook; onClose: () => void }>;

/** Replays everything that failed since a time, after an outage. */
export function RecoverDialog({ webhook, onClose }: RecoverDialogProps) {
  const { t } = useTranslation("webhooks");
  const { t: common } = useTranslation();
  const choices = useChoices(webhook);
  const [choice, setChoice] = useState(choices[0]?.value ?? "custom");
  const [own, setOwn] = useState("");
  const since = sinceOf(choice, webhook, own);
  const { data, error } = usePreview(webhook.id, since);
  const start = useStart(webhook.id, onClose);
  const fault = error ?? start.error;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("recover.title")}
      closeButtonProps={{ "aria-label": common("action.close") }}
    >
      <Stack>
        <Text size="sm">{t("recover.note")}</Text>
        <Select
          label={t("recover.since")}
          data={choices}
          value={choice}
          allowDeselect={false}
          onChange={(next) => setChoice(next ?? choice)}
        />
        {choice === "custom" ? (
          <DateRangeField
            type="datetime-local"
            label={t("recover.custom")}
            value={toLocal(own)}
            onApply={(text) => setOwn(fromLocal(text) ?? "")}
          />
        ) : null}
        <Text size="sm" component="div" role="status">
          <PreviewLine preview={data} isAsked={since !== ""} />
        </Text>
        {fault === null ? null : <ErrorBox error={fault} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {common("action.cancel")}
          </Button>
          <Button
            loading={start.isPending}
            disabled={!hasSomething(data)}
            onClick={() => start.mutate(since)}
          >
            {t("recover.action")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

const hours = [1, 24, 168] as const;

/** Options for the start: typical times after an outage, or a custom one. */
function useChoices(webhook: Webhook) {
  const { t } = useTranslation("webhooks");
  // Fixed when the dialog opens, for a stable query key.
  const [now] = useState(() => Date.now());
  const failing = webhook.failing_since;
  return [
    ...(failing === null
      ? []
      : [
          {
            value: "failing",
            label: `${t("recover.failing")} (${formatShort(beforeFailing(failing, webhook), new Date(now))})`,
          },
        ]),
    ...hours.map((count) => ({
      value: new Date(now - count * 3_600_000).toISOString(),
      label: t("recover.hours", { count }),
    })),
    { value: "custom", label: t("recover.custom") },
  ];
}

function sinceOf(choice: string, webhook: Webhook, own: string): string {
  const { failing_since: failing } = webhook;
  if (choice === "failing") {
    return failing === null ? "" : beforeFailing(failing, webhook).toISOString();
  }
  return choice === "custom" ? own : choice;
}

/** Margin between an event and its first failed attempt, for queueing and time-outs. */
const marginMs = 5 * 60_000;

/** Not before the webhook was created. */
function beforeFailing(failing: string, { created }: Webhook): Date {
  return new Date(Math.max(Date.parse(failing) - marginMs, Date.parse(created)));
}

function usePreview(webhookId: number, since: string) {
  return useQuery({
    queryKey: ["webhooks", "recover-preview", webhookId, since],
    queryFn: () =>
      call(
        api.POST("/api/webhooks/{webhookId}/recover/preview", {
          params: { path: { webhookId } },
          body: { since },
        }),
      ),
    enabled: since !== "",
    staleTime: 0,
    ...retryBusy,
  });
}

function useStart(webhookId: number, onClose: () => void) {
  const { t } = useTranslation("webhooks");
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (since: string) =>
      call(
        api.POST("/api/webhooks/{webhookId}/recover", {
          params: { path: { webhookId } },
          body: { since },
        }),
      ),
    onSuccess: async ({ id }) => {
      showDone(t("recover.started", { id }));
      onClose();
      await refreshWebhooks(client);
      await navigate({ to: "/dashboard/deliveries/replays", search: { replay: String(id) } });
    },
  });
}

function PreviewLine({ preview, isAsked }: { preview: Preview | undefined; isAsked: boolean }) {
  const { t } = useTranslation("webhooks");
  if (preview !== undefined) {
    return <Numbers preview={preview} />;
  }
  return isAsked ? t("recover.counting") : null;
}

/** Describes the effect, in numbers. */
function Numbers({ preview }: { preview: Preview }) {
  const { t } = useTranslation("webhooks");
  const { count, exact, skipped, retries } = preview;
  const number = formatNumber(count);
  const lines = [
    ...(count === 0
      ? []
      : [exact ? t("recover.will", { count, number }) : t("recover.will_more", { number })]),
    ...(retries.count === 0
      ? []
      : [
          t("recover.retries", {
            count: retries.count,
            number: `${formatNumber(retries.count)}${retries.more ? "+" : ""}`,
          }),
        ]),
    ...(skipped === 0 ? [] : [t("recover.skipped", { number: formatNumber(skipped) })]),
  ];
  return lines.length === 0 ? (
    t("recover.nothing")
  ) : (
    <ul style={{ margin: 0, paddingInlineStart: 18 }}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

function hasSomething(preview: Preview | undefined): boolean {
  return preview !== undefined && !(preview.exact && preview.count + preview.retries.count === 0);
}
