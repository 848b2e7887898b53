import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { api, call } from "../../base/api.ts";
import { useTranslation } from "../../base/i18n.ts";
import { ErrorBox } from "../../components/error-box.tsx";
import { Card } from "./card.tsx";

type Done = Readonly<{ what: "stopped" } | { what: "confirmed"; email: string; company: string }>;

/** Opened from an alert mail: confirms or cancels the subscription of this address. */
export function AlertsLinkPage() {
  const { t } = useTranslation("sign-in");
  const [token] = useState(() => tokenOf(location.hash));
  const [fault, setFault] = useState<unknown>();
  const [done, setDone] = useState<Done>();
  const [isBusy, setBusy] = useState(false);
  const run = async (work: () => Promise<Done>): Promise<void> => {
    setBusy(true);
    setFault(undefined);
    try {
      setDone(await work());
    } catch (thrown) {
      setFault(thrown);
    } finally {
      setBusy(false);
    }
  };
  const body = { token };
  const confirm = async (): Promise<Done> => ({
    what: "confirmed",
    ...(await call(api.POST("/api/alerts/emails/confirm", { body }))),
  });
  const stop = async (): Promise<Done> => {
    await call(api.POST("/api/alerts/emails/stop", { body }));
    return { what: "stopped" };
  };
  if (token === "") {
    return (
      <Card title={t("alerts.title")} note={t("alerts.no_token")}>
        {null}
      </Card>
    );
  }
  return (
    <Card title={t("alerts.title")} {...(done === undefined ? { note: t("alerts.note") } : {})}>
      {fault === undefined ? null : <ErrorBox error={fault} />}
      {done === undefined ? (
        <Group>
          <Button onClick={() => void run(confirm)} loading={isBusy}>
            {t("alerts.confirm")}
          </Button>
          <Button variant="default" onClick={() => void run(stop)} disabled={isBusy}>
            {t("alerts.stop")}
          </Button>
        </Group>
      ) : (
        <DoneText done={done} />
      )}
    </Card>
  );
}

/** The token is in the URL fragment, which is not sent: it appears in no log and no referrer. */
function tokenOf(hash: string): string {
  return new URLSearchParams(hash.slice(1)).get("token") ?? "";
}

function DoneText({ done }: { done: Done }) {
  const { t } = useTranslation("sign-in");
  return (
    <Text size="sm" role="status">
      {done.what === "stopped"
        ? t("alerts.stopped")
        : t("alerts.confirmed", { email: done.email, company: done.company })}
    </Text>
  );
}
