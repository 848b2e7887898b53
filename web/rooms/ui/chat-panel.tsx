import { IconPaperclip, IconSend2 } from "@tabler/icons-react";
import {
  Fragment,
  useEffect,
  useRef,
  useState,
  type SyntheticEvent,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import type { ChatEntry } from "../room.ts";
import styles from "./chat-panel.module.css";

export type ChatTexts = Readonly<{
  empty: string;
  emptyNote: string;
  input: string;
  send: string;
  attach: string;
  sending: string;
  failed: string;
  retry: string;
  you: string;
}>;

export type ChatPanelProps = Readonly<{
  messages: readonly ChatEntry[];
  texts: ChatTexts;
  /** For times. */
  locale: string;
  /** The name of somebody who gave none. */
  fallbackName: string;
  /** What came after so many messages: files. */
  between?: (count: number) => ReactNode;
  onSend: (text: string) => void;
  onRetry: (clientId: string) => void;
  /** Without it, no files can be sent. */
  onFile?: (file: File) => void;
}>;

const maxTextLength = 4_000;

/** The messages of a room, and a field to write one. Enter sends, Shift and Enter begin a line. */
export function ChatPanel(props: ChatPanelProps): ReactNode {
  const { messages, texts, between } = props;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    end.current?.scrollIntoView({ block: "end" });
  }, [messages.length]);
  return (
    <div className={styles.panel}>
      <div className={styles.scroll} tabIndex={0} role="log" aria-live="polite">
        {messages.length === 0 ? (
          <div className={styles.empty}>
            <strong>{texts.empty}</strong>
            <span>{texts.emptyNote}</span>
          </div>
        ) : null}
        {between?.(0)}
        {messages.map((message, index) => (
          <Fragment key={message.clientId ?? message.id}>
            <Message {...props} message={message} before={messages[index - 1]} />
            {between?.(index + 1)}
          </Fragment>
        ))}
        <div ref={end} />
      </div>
      <Composer {...props} />
    </div>
  );
}

type MessageProps = ChatPanelProps &
  Readonly<{ message: ChatEntry; before: ChatEntry | undefined }>;

function Message({
  message,
  before,
  texts,
  locale,
  fallbackName,
  onRetry,
}: MessageProps): ReactNode {
  const { isOwn, state, text, name, created, clientId } = message;
  const isContinued =
    before !== undefined &&
    before.isOwn === isOwn &&
    before.name === name &&
    isSoonAfter(before, message);
  const time = new Date(created).toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" });
  return (
    <article className={styles.message} data-own={isOwn ? "" : undefined}>
      {isContinued ? null : (
        <header className={styles.from}>
          <strong>{isOwn ? texts.you : name || fallbackName}</strong>
          <time dateTime={created}>{time}</time>
        </header>
      )}
      <p className={styles.text} data-state={state}>
        {text}
      </p>
      {state === "sending" ? <span className={styles.state}>{texts.sending}</span> : null}
      {state === "failed" ? (
        <span className={styles.failed}>
          {texts.failed}{" "}
          <button type="button" className={styles.retry} onClick={() => onRetry(clientId ?? "")}>
            {texts.retry}
          </button>
        </span>
      ) : null}
    </article>
  );
}

function isSoonAfter(before: ChatEntry, now: ChatEntry): boolean {
  return Date.parse(now.created) - Date.parse(before.created) < 120_000;
}

function Composer({ texts, onSend, onFile }: ChatPanelProps): ReactNode {
  const [text, setText] = useState("");
  const picker = useRef<HTMLInputElement>(null);
  const send = (event?: SyntheticEvent): void => {
    event?.preventDefault();
    if (text.trim() !== "") {
      onSend(text.trim());
      setText("");
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      send();
    }
  };
  const pick = (files: FileList | null): void =>
    [...(files ?? [])].forEach((file) => onFile?.(file));
  return (
    <form className={styles.composer} onSubmit={send}>
      {onFile === undefined ? null : (
        <>
          <button
            type="button"
            className={styles.attach}
            aria-label={texts.attach}
            title={texts.attach}
            onClick={() => picker.current?.click()}
          >
            <IconPaperclip size={20} aria-hidden />
          </button>
          <input
            ref={picker}
            type="file"
            hidden
            aria-label={texts.attach}
            onChange={({ currentTarget }) => {
              pick(currentTarget.files);
              currentTarget.value = ""; // the same file may be chosen again
            }}
          />
        </>
      )}
      <textarea
        className={styles.input}
        rows={1}
        maxLength={maxTextLength}
        aria-label={texts.input}
        placeholder={texts.input}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <button
        type="submit"
        className={styles.send}
        aria-label={texts.send}
        title={texts.send}
        disabled={text.trim() === ""}
      >
        <IconSend2 size={20} aria-hidden />
      </button>
    </form>
  );
}
