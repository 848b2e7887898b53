import { Button, Skeleton, Text } from "@mantine/core";
import { IconDeviceDesktop } from "@tabler/icons-react";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import type { components } from "../../../base/api-types.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { Section } from "../../../components/section.tsx";
import { showFault } from "../../../components/show-fault.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import classes from "./devices.module.css";

const devicesQuery = queryOptions({
  queryKey: ["settings", "devices"],
  queryFn: () => call(api.GET("/api/users/me/sessions")),
});

/** Active sessions, with a button to end each. */
export function Devices() {
  const { t } = useTranslation("settings");
  const { data, error, refetch } = useQuery(devicesQuery);
  return (
    <Section title={t("devices.title")} note={t("devices.note")}>
      {error !== null ? <ErrorBox error={error} onRetry={() => void refetch()} /> : null}
      {data === undefined && error === null ? <Skeleton height={44} /> : null}
      <ul className={classes["devices"]}>
        {data?.data.map((device) => (
          <DeviceLine key={device.id} device={device} />
        ))}
      </ul>
    </Section>
  );
}

type Device = components["schemas"]["SignedInDevice"];

function DeviceLine({ device }: { device: Device }) {
  const { t } = useTranslation("settings");
  const ending = useSignOutThere();
  const name = [device.browser, device.system].filter((part) => part !== "").join(" · ");
  return (
    <li className={classes["device"]}>
      <IconDeviceDesktop size={18} stroke={1.6} aria-hidden />
      <div className={classes["what"]}>
        <Text size="sm" fw={600}>
          {name === "" ? t("devices.unknown") : name}
        </Text>
        <Text size="xs" c="dimmed">
          {t("devices.seen")} <RelativeTime at={device.last_seen} />
        </Text>
      </div>
      {device.current ? (
        <StateBadge meaning="good">{t("devices.this")}</StateBadge>
      ) : (
        <Button
          size="xs"
          variant="default"
          loading={ending.isPending}
          onClick={() => ending.mutate(device.id)}
          aria-label={t("devices.end_what", { name })}
        >
          {t("devices.end")}
        </Button>
      )}
    </li>
  );
}

function useSignOutThere() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (sessionId: number) =>
      call(api.DELETE("/api/users/me/sessions/{sessionId}", { params: { path: { sessionId } } })),
    onSuccess: () => queries.invalidateQueries(devicesQuery),
    onError: showFault,
  });
}
