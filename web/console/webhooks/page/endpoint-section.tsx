import { Code, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { CopyText } from "../../../components/copy-button.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import type { RemovableSetting } from "../data.ts";
import { Section } from "../section.tsx";
import { Facts } from "./facts.tsx";
import { UndecryptableValue } from "./undecryptable-value.tsx";
import type { Webhook } from "../types.ts";

/** URL and authentication of the endpoint. */
export function EndpointSection({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation("webhooks");
  const { oauth2, clientCertificate, undecryptable } = webhook;
  const orLost = (field: RemovableSetting, value: ReactNode): ReactNode =>
    undecryptable.includes(field) ? (
      <UndecryptableValue webhookId={webhook.id} field={field} />
    ) : (
      value
    );
  const facts = [{ name: t("page.address"), value: <Address webhook={webhook} /> }];
  const ofRequests =
    webhook.mode === "pull"
      ? []
      : [
          {
            name: t("headers.title"),
            value: orLost("headers", <Headers headers={webhook.headers} />),
          },
          {
            name: "OAuth2",
            value: orLost(
              "oauth2",
              oauth2 === null ? (
                t("page.none")
              ) : (
                <>
                  {oauth2.clientId} · <Code>{oauth2.tokenUrl}</Code>
                </>
              ),
            ),
          },
          {
            name: t("more.certificate"),
            value: orLost(
              "clientCertificate",
              clientCertificate === null ? (
                t("page.none")
              ) : (
                <>
                  {clientCertificate.subject} · {t("certificate.expires")}{" "}
                  <RelativeTime at={clientCertificate.expires} />
                </>
              ),
            ),
          },
        ];
  return (
    <Section title={t("page.where")}>
      <Facts facts={[...facts, ...ofRequests]} />
    </Section>
  );
}

function Address({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation("webhooks");
  if (webhook.mode === "pull") {
    return (
      <Stack gap={4}>
        {t("page.pulled")}
        <CopyText value={`/api/webhooks/${webhook.id}/events`} name={t("page.pull_address")} />
      </Stack>
    );
  }
  return webhook.url === null ? t("list.no_url") : <CopyText value={webhook.url} name="URL" />;
}

function Headers({ headers }: Pick<Webhook, "headers">) {
  const { t } = useTranslation("webhooks");
  return headers.length === 0 ? (
    t("page.none")
  ) : (
    <Stack gap={2}>
      {headers.map(({ name, value }) => (
        <span key={name} className="mono">
          {name}: {value}
        </span>
      ))}
    </Stack>
  );
}
