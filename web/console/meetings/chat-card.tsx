import { Button, Group, Skeleton, Text, Textarea } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "../../base/i18n.ts";
import type { components } from "../../base/api-types.ts";
import { ErrorBox } from "../../components/error-box.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { Section } from "../../components/section.tsx";
import { useDraft } from "../../components/use-draft.ts";
import { useMay } from "../session.ts";
import { chatQuery, useRefresh } from "./queries.ts";
import { isOver, type Meeting } from "./types.ts";
import classes from "./meetings.module.css";

type Said = components["schemas"]["ChatMessage"];

/** The chat of the meeting; staff can write as well. */
export function ChatCard({ meeting }: { meeting: Meeting }) {
  const { t } = useTranslation("meetings");
  const { data, error, refetch } = useQuery(chatQuery(meeting.id));
  const mayWrite = useMay("conversations.write") && !isOver(meeting);
  const label = t("chat.title");
  return (
    <Section title={label}>
      {error === null ? null : <ErrorBox error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Skeleton height={80} /> : null}
      {data === undefined ? null : <Chat {...data} label={label} />}
      {data?.conversation === undefined || !mayWrite ? null : (
        <Write conversationId={data.conversation.id} />
      )}
    </Section>
  );
}

type ChatProps = Readonly<{ messages: readonly Said[]; total: number; label: string }>;

function Chat({ messages, total, label }: ChatProps) {
  const { t } = useTranslation("meetings");
  if (messages.length === 0) {
    return (
      <Text size="sm" c="dimmed" mb="sm">
        {t("chat.none")}
      </Text>
    );
  }
  return (
    <>
      {total > messages.length ? (
        <Text size="xs" c="dimmed" mb="xs">
          {t("chat.newest", { count: messages.length })}
        </Text>
      ) : null}
      <Lines messages={messages} label={label} />
    </>
  );
}

function Lines({ messages, label }: { messages: readonly Said[]; label: string }) {
  const { t } = useTranslation("meetings");
  const list = useRef<HTMLUListElement>(null);
  const newest = messages.at(-1)?.id;
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [newest]);
  return (
    <ul ref={list} className={classes["chat"]} aria-label={label} tabIndex={0}>
      {messages.map(({ id, author, name, text, created }) => (
        <li key={id} className={classes["said"]} data-author={author}>
          <span className={classes["author"]}>
            <b>{name || t("role.participant")}</b>
            <RelativeTime at={created} />
          </span>
          {text}
        </li>
      ))}
    </ul>
  );
}

function Write({ conversationId }: { conversationId: number }) {
  const { t } = useTranslation("meetings");
  const onSent = useRefresh();
  const { field, isEmpty, isSending, error, onSubmit } = useDraft({ conversationId, onSent });
  return (
    <form onSubmit={onSubmit}>
      {error === null ? null : <ErrorBox error={error} />}
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <Textarea
          aria-label={t("chat.write")}
          placeholder={t("chat.write")}
          autosize
          maxRows={5}
          style={{ flex: 1 }}
          {...field}
        />
        <Button
          type="submit"
          loading={isSending}
          disabled={isEmpty}
          leftSection={<IconSend size={15} aria-hidden />}
        >
          {t("chat.send")}
        </Button>
      </Group>
    </form>
  );
}
