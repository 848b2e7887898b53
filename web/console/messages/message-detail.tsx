import {
  Alert,
  Anchor,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  Timeline,
  Title,
} from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { CopyText } from "../../components/copy-button.tsx";
import { ErrorBox } from "../../components/error-box.tsx";
import { Facts } from "../../components/facts.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { SidePanel } from "../../components/side-panel.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import { messageQuery } from "./queries.ts";
import { safeHtml } from "./safe-html.ts";
import { isEmail, meaningOf, type Message } from "./types.ts";
import { messageErrors, type Channel } from "../../../src/contracts/invitations.ts";
import classes from "./messages.module.css";

/** Maps failure reasons of the API to text keys. Pure. */

const known = [...messageErrors, ...(["timeout", "unreachable", "smtp_auth"] as const)] as const;

export type ErrorKey = (typeof known)[number] | "provider" | "other";

type MessagePanelProps = Readonly<{
  channel: Channel;
  openId: number | undefined;
  onClose: () => void;
}>;

/** A message in the detail pane. */
export function MessagePanel({ channel, openId, onClose }: MessagePanelProps) {
  const { t } = useTranslation("messages");
  // Opens after mounting, so that the focus returns to the element that had it before.
  const isThere = useMounted();
  return (
    <SidePanel
      isOpen={isThere && openId !== undefined}
      title={t(`detail.${channel}`)}
      onClose={onClose}
    >
      {openId === undefined ? null : <MessageDetail channel={channel} messageId={openId} />}
    </SidePanel>
  );
}

function MessageDetail({ channel, messageId }: { channel: Channel; messageId: number }) {
  const { t } = useTranslation("messages");
  const { data, error, refetch } = useQuery(messageQuery(channel, messageId));
  if (error !== null) {
    return <ErrorBox error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) {
    return <Skeleton height={320} />;
  }
  return (
    <Stack gap="md">
      {isEmail(data) ? <Title order={2}>{data.subject}</Title> : null}
      <MessageFacts message={data} />
      <Fault message={data} />
      <Words key={data.id} message={data} />
      <Title order={3}>{t("way.title")}</Title>
      <Way message={data} />
    </Stack>
  );
}

function MessageFacts({ message }: { message: Message }) {
  const { t } = useTranslation("messages");
  return (
    <Facts>
      <dt>{t("list.status")}</dt>
      <dd>
        <StateBadge meaning={meaningOf[message.status]}>{t(`status.${message.status}`)}</StateBadge>
      </dd>
      <dt>{t("list.to")}</dt>
      <dd>
        <CopyText value={message.to} name={t("list.to")} />
      </dd>
      <dt>{t("detail.sender")}</dt>
      <dd>{message.sender}</dd>
      {isEmail(message) ? null : (
        <>
          <dt>{t("list.segments")}</dt>
          <dd>{t("detail.segments", { count: message.segments })}</dd>
        </>
      )}
      <About message={message} />
      <dt>{t("detail.id")}</dt>
      <dd>
        <CopyText value={String(message.id)} name={t("detail.id")} />
      </dd>
    </Facts>
  );
}

function About({ message }: { message: Message }) {
  const { t } = useTranslation("messages");
  return (
    <>
      {message.ticketId === null ? null : (
        <>
          <dt>{t("detail.ticket")}</dt>
          <dd>
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link to={`/tickets/${message.ticketId}` as "/tickets"} {...props} />
              )}
            >
              {message.ticketId}
            </Anchor>
          </dd>
        </>
      )}
      {message.conferenceId === null ? null : (
        <>
          <dt>{t("detail.meeting")}</dt>
          <dd>
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link
                  to="/meetings/$conferenceId"
                  params={{ conferenceId: String(message.conferenceId) }}
                  {...props}
                />
              )}
            >
              {message.conferenceId}
            </Anchor>
          </dd>
        </>
      )}
    </>
  );
}

function Fault({ message }: { message: Message }) {
  const { t } = useTranslation("messages");
  if (message.error === null) {
    return null;
  }
  const { key, code } = errorKey(message.error);
  const isOver = message.status !== "queued";
  return (
    <Alert
      color={isOver ? "red" : "yellow"}
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title={t(isOver ? "error.over" : "error.again")}
    >
      {t(`error.${key}`, { code })}
      <Text size="xs" c="dimmed" mt={4} className="mono">
        {message.error}
      </Text>
    </Alert>
  );
}

export function errorKey(error: string): Readonly<{ key: ErrorKey; code: string }> {
  const plain = known.find((one) => one === error);
  if (plain !== undefined) {
    return { key: plain, code: error };
  }
  const number = /^(?:http|smtp|twilio)_(.+)$/u.exec(error)?.[1];
  return number === undefined ? { key: "other", code: error } : { key: "provider", code: number };
}

/** The text; for a mail also a preview without images and colours. */
function Words({ message }: { message: Message }) {
  const { t } = useTranslation("messages");
  const [shown, setShown] = useState("text");
  const html = isEmail(message) ? message.html : null;
  return (
    <Stack gap="xs">
      {html === null ? null : (
        <SegmentedControl
          value={shown}
          onChange={setShown}
          aria-label={t("detail.form")}
          data={[
            { value: "text", label: t("detail.text") },
            { value: "html", label: t("detail.html") },
          ]}
        />
      )}
      {html !== null && shown === "html" ? (
        <Preview html={html} />
      ) : (
        <div className={classes["text"]}>{message.text}</div>
      )}
    </Stack>
  );
}

function Preview({ html }: { html: string }) {
  const { t } = useTranslation("messages");
  const safe = useMemo(() => safeHtml(html), [html]);
  return (
    <iframe className={classes["preview"]} sandbox="" srcDoc={safe} title={t("detail.html")} />
  );
}

/** The steps of the message: created, accepted by the provider, final state. */
function Way({ message }: { message: Message }) {
  const { t } = useTranslation("messages");
  const { status, created, sent, modified } = message;
  const isFinal = status === "delivered" || status === "undelivered" || status === "failed";
  const steps = [
    { key: "created" as const, at: created },
    ...(sent === null ? [] : [{ key: "taken" as const, at: sent }]),
    ...(isFinal ? [{ key: status, at: modified }] : []),
    ...(status === "queued" ? [{ key: "waiting" as const, at: undefined }] : []),
  ];
  return (
    <Timeline active={steps.length - 1} bulletSize={14} lineWidth={2}>
      {steps.map(({ key, at }) => (
        <Timeline.Item key={key} title={t(`way.${key}`)}>
          {at === undefined ? null : (
            <Text size="xs" c="dimmed">
              <RelativeTime at={at} />
            </Text>
          )}
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
