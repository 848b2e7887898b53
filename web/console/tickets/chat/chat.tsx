/** The chat between agent and customer; also outside of a session. */
import { ActionIcon, Alert, Skeleton, Text, Textarea } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { canMeet } from "../../../../src/contracts/tickets.ts";
import { useTranslation } from "../../../base/i18n.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { useDraft } from "../../../components/use-draft.ts";
import { useSession } from "../../session.ts";
import { Card } from "../detail/card.tsx";
import { reaches } from "../allowed-actions.ts";
import { chatQuery } from "../detail/queries.ts";
import { isTicketState, type ChatMessage, type Ticket } from "../types.ts";
import classes from "./chat.module.css";

export function Chat({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation("tickets");
  const session = useSession();
  const { data, error, refetch } = useQuery(chatQuery(ticket.id));
  const isOpen = isTicketState(ticket.state) && canMeet(ticket.state);
  const mayWrite = isOpen && reaches(session, "conversations.write", ticket);
  return (
    <Card title={t("chat.title")}>
      {data === undefined ? (
        error === null ? (
          <Skeleton height={96} />
        ) : (
          <ErrorBox error={error} onRetry={() => void refetch()} />
        )
      ) : null}
      {data === null ? <Alert color="gray">{t("chat.none")}</Alert> : null}
      {data === undefined || data === null ? null : (
        <>
          {data.total > data.messages.length ? (
            <Text size="xs" c="dimmed">
              {t("chat.older", { count: data.messages.length })}
            </Text>
          ) : null}
          <Written messages={data.messages} />
          {mayWrite ? <Writing ticketId={ticket.id} conversationId={data.conversation.id} /> : null}
        </>
      )}
    </Card>
  );
}

function Written({ messages }: { messages: readonly ChatMessage[] }) {
  const { t } = useTranslation("tickets");
  const list = useRef<HTMLUListElement>(null);
  const last = messages.at(-1)?.id;
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [last]);
  return messages.length === 0 ? (
    <Text size="sm" c="dimmed" mb="xs">
      {t("chat.none")}
    </Text>
  ) : (
    <ul ref={list} className={classes["list"]} tabIndex={0} aria-label={t("chat.title")} role="log">
      {messages.map((message) => (
        <Bubble key={message.id} message={message} />
      ))}
    </ul>
  );
}

function Bubble({ message }: { message: ChatMessage }) {
  const { t } = useTranslation("tickets");
  const name = message.name === "" ? t("source.guest") : message.name;
  return (
    <li className={classes["bubble"]} data-mine={message.userId !== null || undefined}>
      <Text size="xs" c="dimmed">
        {name} · <RelativeTime at={message.created} />
      </Text>
      <p className={classes["text"]}>{message.text}</p>
    </li>
  );
}

function Writing({ ticketId, conversationId }: { ticketId: number; conversationId: number }) {
  const { t } = useTranslation("tickets");
  const queries = useQueryClient();
  const { field, isEmpty, isSending, error, onSubmit } = useDraft({
    conversationId,
    onSent: () => queries.invalidateQueries({ queryKey: chatQuery(ticketId).queryKey }),
  });
  return (
    <form onSubmit={onSubmit}>
      {error === null ? null : <ErrorBox error={error} />}
      <div className={classes["writing"]}>
        <Textarea
          className={classes["box"] ?? ""}
          aria-label={t("chat.write")}
          placeholder={t("chat.write")}
          autosize
          minRows={1}
          maxRows={5}
          {...field}
        />
        <ActionIcon
          type="submit"
          size={34}
          loading={isSending}
          disabled={isEmpty}
          aria-label={t("chat.send")}
        >
          <IconSend size={17} />
        </ActionIcon>
      </div>
    </form>
  );
}
