import { Anchor, Switch, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../base/i18n.ts";
import { showFault } from "../../components/show-fault.tsx";
import { useMay } from "../session.ts";
import { changeWebhook, refreshWebhooks, showSwitched } from "./data.ts";
import type { Webhook } from "./types.ts";

type ActiveSwitchProps = Readonly<{ webhook: Webhook; name: string; hasLabel?: boolean }>;

/** Enables or disables a webhook with one click. */
export function ActiveSwitch({ webhook, name, hasLabel = false }: ActiveSwitchProps) {
  const { t } = useTranslation("webhooks");
  const mayWrite = useMay("webhooks.write");
  const { mutate, isPending } = useSwitch(webhook.id);
  const state = t(webhook.active ? "switch.on" : "switch.off");
  const lacksUrl = !webhook.active && webhook.mode === "push" && webhook.url === null;
  if (lacksUrl) {
    return <NeedsUrl webhook={webhook} name={name} mayWrite={mayWrite} />;
  }
  return (
    <Switch
      checked={webhook.active}
      disabled={!mayWrite}
      aria-label={t("switch.of", { name })}
      aria-busy={isPending}
      {...(hasLabel ? { label: state } : {})}
      onChange={({ currentTarget }) => mutate(currentTarget.checked)}
    />
  );
}

/** Optimistic update, rolled back on error. */
function useSwitch(webhookId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (active: boolean) => changeWebhook(webhookId, { active }),
    onMutate: (active: boolean) => showSwitched(client, webhookId, active),
    onError: (thrown, _active, undo) => {
      undo?.();
      showFault(thrown);
    },
    onSettled: () => void refreshWebhooks(client),
    // Serializes the switches of a webhook, so that the last click wins.
    scope: { id: `webhook ${webhookId}` },
  });
}

/** A webhook without a URL cannot be enabled; links to the form. */
function NeedsUrl({ webhook, name, mayWrite }: ActiveSwitchProps & { mayWrite: boolean }) {
  const { t } = useTranslation("webhooks");
  const { t: common } = useTranslation();
  return (
    <div>
      <Switch checked={false} disabled aria-label={t("switch.of", { name })} />
      <Text size="xs" c="dimmed">
        {t("switch.needs_url")}
        {mayWrite ? (
          <>
            {" · "}
            <Anchor
              size="xs"
              aria-label={`${common("action.edit")} ${name}`}
              renderRoot={(props) => (
                <Link
                  to="/settings/webhooks/$webhookId/edit"
                  params={{ webhookId: String(webhook.id) }}
                  {...props}
                />
              )}
            >
              {common("action.edit")}
            </Anchor>
          </>
        ) : null}
      </Text>
    </div>
  );
}
