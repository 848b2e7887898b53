import { Anchor, Switch, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../base/i18n.ts";
import { showFault } from "../../components/show-fault.tsx";
import { useMay } from "../session.ts";
import { changeWebhook, refreshWebhooks, showSwitched } from "./data.ts";
import type { Webhook } from "./types.ts";

type ActiveSwitchProps = Readonly<{ webhook: Webhook; name: string; hasLabel?: boolean }>;

/** Activate: one click, and nothing more goes out, or all goes on. */
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

/** Shows at once what was asked for, and what is so again where it is refused. */
function useSwitch(webhookId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (active: boolean) => changeWebhook(webhookId, { active }),
    onMutate: (active: boolean) => showSwitched(client, webhookId, active),
    onError: (thrown, _active, undo) => {
      undo?.();
      showFault(thrown);
    },
    onSettled: () => void refreshWebhooks(client), // a click meanwhile counts
    scope: { id: `webhook ${webhookId}` },
  });
}

/** It cannot be switched on before it has an address: here is the way to give it one. */
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
