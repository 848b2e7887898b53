import { Fragment, useEffect, useRef, type ReactNode } from "react";
import type { ChatEntry } from "../room.ts";
import { ChatComposer, type ChatComposerProps } from "./chat-composer.tsx";
import styles from "./chat-panel.module.css";
import { linkParts } from "./link-parts.ts";

export type ChatTexts = ChatComposerProps["texts"] &
  Readonly<{
    /** The name of the list. */
    title: string;
    empty: string;
    emptyNote?: string;
    sending: string;
    failed: string;
    retry: string;
    you: string;
  }>;

export type ChatPanelProps = Pick<ChatComposerProps, "onSend" | "draft" | "attach"> &
  Readonly<{
    messages: readonly ChatEntry[];
    texts: ChatTexts;
    renderTime: (created: string) => ReactNode;
    /** The name of somebody who gave none. */
    fallbackName: string;
    /** What came after so many messages: files. */
    between?: (count: number) => ReactNode;
    onRetry: (clientId: string) => void;
    /** Above the field to write: what else can be sent. */
    children?: ReactNode;
  }>;

/** The messages of a room, and a field to write one. */
export function ChatPanel(props: ChatPanelProps): ReactNode {
  const { messages, texts, between, onSend, draft, attach, children } = props;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Not `scrollIntoView`: that would scroll the page around a frame as well.
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [messages.length]);
  return (
    <div className={styles.panel}>
      <div
        ref={list}
        className={styles.scroll}
        tabIndex={0}
        role="log"
        aria-label={texts.title}
        aria-live="polite"
      >
        {messages.length === 0 ? (
          <div className={styles.empty}>
            <strong>{texts.empty}</strong>
            {texts.emptyNote === undefined ? null : <span>{texts.emptyNote}</span>}
          </div>
        ) : null}
        {between?.(0)}
        {messages.map((message, index) => (
          <Fragment key={message.clientId ?? message.id}>
            <Message {...props} message={message} before={messages[index - 1]} />
            {between?.(index + 1)}
          </Fragment>
        ))}
      </div>
      {children}
      <ChatComposer {...{ texts, onSend, draft }} {...(attach && { attach })} />
    </div>
  );
}

type MessageProps = ChatPanelProps &
  Readonly<{ message: ChatEntry; before: ChatEntry | undefined }>;

function Message(props: MessageProps): ReactNode {
  const { message, before, texts, fallbackName, renderTime, onRetry } = props;
  const { isOwn, state, text, name, created, clientId } = message;
  return (
    <article className={styles.message} data-own={isOwn ? "" : undefined}>
      {isContinued(before, message) ? null : (
        <header className={styles.from}>
          <strong>{isOwn ? texts.you : name || fallbackName}</strong>
          {renderTime(created)}
        </header>
      )}
      <p className={styles.text} data-state={state}>
        {withLinks(text)}
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

function withLinks(text: string): ReactNode[] {
  return linkParts(text).map(({ part, isLink }, index) =>
    isLink ? (
      <a key={index} href={part} target="_blank" rel="noopener noreferrer">
        {part}
      </a>
    ) : (
      part
    ),
  );
}

/** Of the same person, soon after their last one. */
function isContinued(before: ChatEntry | undefined, now: ChatEntry): boolean {
  return (
    before !== undefined &&
    before.participant === now.participant &&
    before.name === now.name &&
    Date.parse(now.created) - Date.parse(before.created) < 120_000
  );
}
