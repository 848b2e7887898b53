/** Messages, photos and files: a sheet on a phone, a column on a large screen. */
import { useEffect, useRef, useState, type ChangeEvent, type ReactNode } from "react";
import { IconPaperclip, IconPhoto, IconSend2, IconX } from "@tabler/icons-react";
import type { ChatEntry, Room, RoomView } from "../../rooms/room.ts";
import { useWords } from "../texts.ts";
import styles from "./chat-panel.module.css";

export type ChatPanelProps = Readonly<{
  view: RoomView;
  room: Room;
  /** Whether a file is on its way. */
  onFile: (isSending: boolean) => void;
  onClose: () => void;
}>;

export function ChatPanel({ view, room, onFile, onClose }: ChatPanelProps): ReactNode {
  const { t } = useWords();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it from any part
    <aside
      className={styles.panel}
      aria-label={t("chat")}
      onKeyDown={({ key }) => {
        if (key === "Escape") {
          onClose();
        }
      }}
    >
      <div className={styles.head}>
        <h2 ref={heading} tabIndex={-1}>
          {t("chat")}
        </h2>
        <button
          type="button"
          className={styles.tool}
          aria-label={t("chat_close")}
          onClick={onClose}
        >
          <IconX aria-hidden />
        </button>
      </div>
      <Messages view={view} onRetry={room.retryChat} />
      <Files room={room} onFile={onFile} />
      <Composer onSend={room.sendChat} />
    </aside>
  );
}

type MessagesProps = Readonly<{ view: RoomView; onRetry: (clientId: string) => void }>;

function Messages({ view, onRetry }: MessagesProps): ReactNode {
  const { t } = useWords();
  const list = useRef<HTMLDivElement>(null);
  const { messages } = view;
  useEffect(() => {
    list.current?.scrollTo(0, list.current.scrollHeight);
  }, [messages.length]);
  return (
    <div ref={list} className={styles.messages} role="log" tabIndex={0} aria-label={t("chat")}>
      {messages.length === 0 ? <p className={styles.empty}>{t("chat_empty")}</p> : null}
      {messages.map((entry) => (
        <Message key={entry.clientId ?? entry.id} entry={entry} onRetry={onRetry} />
      ))}
    </div>
  );
}

type MessageProps = Readonly<{ entry: ChatEntry; onRetry: (clientId: string) => void }>;

function Message({ entry, onRetry }: MessageProps): ReactNode {
  const { t } = useWords();
  const { clientId, isOwn, state, name, text } = entry;
  return (
    <div className={styles.message} data-own={isOwn ? "" : undefined} data-state={state}>
      <span className={styles.author}>{isOwn ? t("chat_you") : name}</span>
      <p>{text}</p>
      {state === "failed" && clientId !== null ? (
        <button type="button" className={styles.retry} onClick={() => onRetry(clientId)}>
          {t("chat_retry")}
        </button>
      ) : null}
    </div>
  );
}

type FilesProps = Pick<ChatPanelProps, "room" | "onFile">;

function Files({ room, onFile }: FilesProps): ReactNode {
  const { t } = useWords();
  const [note, setNote] = useState("");
  const send = async ({ target }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const [file] = target.files ?? [];
    const input = target;
    if (file === undefined) {
      return;
    }
    const { name } = file;
    setNote(t("file_sending", { name }));
    onFile(true);
    const mediaId = await room.sendFile(file, name);
    onFile(false);
    setNote(mediaId === undefined ? "" : t("file_sent", { name }));
    input.value = ""; // the same file can be chosen again
  };
  return (
    <div className={styles.files}>
      <label className={styles.file}>
        <IconPhoto size={20} aria-hidden />
        {t("attach_photo")}
        <input type="file" accept="image/*" onChange={(event) => void send(event)} />
      </label>
      <label className={styles.file}>
        <IconPaperclip size={20} aria-hidden />
        {t("attach_file")}
        <input type="file" onChange={(event) => void send(event)} />
      </label>
      <p className={styles.note} role="status">
        {note}
      </p>
    </div>
  );
}

const maxLength = 4_000;

function Composer({ onSend }: Readonly<{ onSend: (text: string) => void }>): ReactNode {
  const { t } = useWords();
  const [text, setText] = useState("");
  const send = (): void => {
    if (text.trim() !== "") {
      onSend(text.trim());
      setText("");
    }
  };
  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <input
        aria-label={t("chat_placeholder")}
        placeholder={t("chat_placeholder")}
        maxLength={maxLength}
        value={text}
        autoComplete="off"
        onChange={({ target }) => setText(target.value)}
      />
      <button type="submit" className={styles.send} aria-label={t("chat_send")}>
        <IconSend2 aria-hidden />
      </button>
    </form>
  );
}
