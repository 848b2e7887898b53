import { Button, CopyButton, Text } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "../../../base/i18n.ts";
import { CopyValueButton } from "../../../components/copy-button.tsx";
import { useMay } from "../../session.ts";
import type { Ticket } from "../types.ts";
import { Card, Facts } from "./card.tsx";
import classes from "./detail.module.css";

/** The links of a ticket, the customer's first: agents use it if a message does not arrive. */
export function LinksCard({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation("tickets");
  const isStaff = useMay("tickets.write");
  const agentUrl = `${ticket.agent_url}/entrypoint/${ticket.button_id}/tickets/${ticket.id}`;
  const facts: [string, React.ReactNode][] = [
    [
      t("links.information"),
      <Address key="i" url={ticket.information_page_url} name={t("links.information")} />,
    ],
    ...(isStaff
      ? [
          [t("links.agent"), <Address key="a" url={agentUrl} name={t("links.agent")} />] as [
            string,
            React.ReactNode,
          ],
        ]
      : []),
  ];
  return (
    <Card title={t("links.customer")}>
      <div className={classes["link"]}>
        <span className={`mono ${classes["url"]}`}>{ticket.requestor_url}</span>
        <CopyButton value={ticket.requestor_url} timeout={1_500}>
          {({ copied, copy }) => (
            <Button
              size="xs"
              variant="light"
              onClick={copy}
              leftSection={
                copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />
              }
            >
              {t(copied ? "links.copied" : "links.copy")}
            </Button>
          )}
        </CopyButton>
      </div>
      <Text size="xs" c="dimmed" mt={4} mb="xs">
        {t("links.secret")}
      </Text>
      <Facts facts={facts} />
    </Card>
  );
}

function Address({ url, name }: { url: string; name: string }) {
  return (
    <span className={classes["address"]}>
      <a href={url} target="_blank" rel="noreferrer" className="mono">
        {url.replace(/^https?:\/\//u, "")}
      </a>
      <CopyValueButton value={url} name={name} />
    </span>
  );
}
