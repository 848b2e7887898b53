/** The chat of the room, as it is written. */
import { ActionIcon, Button, Text, Textarea } from "@mantine/core";
import { getHotkeyHandler } from "@mantine/hooks";
import { IconSend } from "@tabler/icons-react";
import { useEffect, useRef, useState, type SyntheticEvent } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { RelativeTime } from "../../../components/relative-time.tsx";
import type { ChatEntry, Room } from "../../../rooms/room.ts";
import { useRoom } from "../../../rooms/ui/use-room.ts";
import classes from "../../tickets/chat/chat.module.css";
import panel from "./panel.module.css";

export function RoomChat({ room }: { room: Room }) {
  const { t } = useTranslation("call");
  const { messages } = useRoom(room);
  const list = useRef<HTMLDivElement>(null);
  const count = messages.length;
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [count]);
  return (
    <div className={panel["chat"]}>
      <div
        ref={list}
        className={panel["messages"]}
        tabIndex={0}
        role="log"
        aria-label={t("panel.chat")}
      >
        {count === 0 ? (
          <Text size="sm" c="dimmed">
            {t("chat.empty")}
          </Text>
        ) : (
          <ul>
            {messages.map((message) => (
              <Bubble key={message.clientId ?? message.id} message={message} room={room} />
            ))}
          </ul>
        )}
      </div>
      <Writing room={room} />
    </div>
  );
}

function Bubble({ message, room }: { message: ChatEntry; room: Room }) {
  const { t } = useTranslation("call");
  const { clientId } = message;
  return (
    <li className={classes["bubble"]} data-mine={message.isOwn || undefined}>
      <Text size="xs" c="dimmed">
        {message.name} · {message.state === "sent" ? <RelativeTime at={message.created} /> : null}
        {message.state === "sending" ? t("chat.sending") : null}
      </Text>
      <p className={classes["text"]}>{message.text}</p>
      {message.state === "failed" && clientId !== null ? (
        <Text size="xs" c="var(--bad)">
          {t("chat.failed")}{" "}
          <Button size="compact-xs" variant="subtle" onClick={() => room.retryChat(clientId)}>
            {t("chat.retry")}
          </Button>
        </Text>
      ) : null}
    </li>
  );
}

const maxLength = 4_000;

function Writing({ room }: { room: Room }) {
  const { t } = useTranslation("call");
  const [text, setText] = useState("");
  const send = (event?: SyntheticEvent): void => {
    event?.preventDefault();
    if (text.trim() !== "") {
      room.sendChat(text.trim());
      setText("");
    }
  };
  return (
    <form onSubmit={send} className={classes["writing"]}>
      <Textarea
        className={classes["box"] ?? ""}
        aria-label={t("chat.write")}
        placeholder={t("chat.write")}
        autosize
        minRows={1}
        maxRows={5}
        maxLength={maxLength}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={getHotkeyHandler([["Enter", () => send()]])}
      />
      <ActionIcon type="submit" size={36} disabled={text.trim() === ""} aria-label={t("chat.send")}>
        <IconSend size={17} aria-hidden />
      </ActionIcon>
    </form>
  );
}

/** Messages of others that came while the chat was not shown. */
export function useUnread(room: Room | undefined, isShown: boolean): number {
  const [seen, setSeen] = useState<number>();
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (room === undefined) {
      return undefined;
    }
    const follow = (): void => setCount(room.view().messages.filter(({ isOwn }) => !isOwn).length);
    follow();
    return room.subscribe(follow);
  }, [room]);
  if ((isShown || seen === undefined) && seen !== count) {
    setSeen(count);
  }
  return Math.max(0, count - (seen ?? count));
}
