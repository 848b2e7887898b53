import { IconPaperclip, IconSend2 } from "@tabler/icons-react";
import {
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
} from "react";
import styles from "./chat-composer.module.css";
import { IconButton } from "./icon-button.tsx";

export type ChatComposerProps = Readonly<{
  texts: Readonly<{ input: string; send: string }>;
  onSend: (text: string) => void;
  /** What is written and not sent, kept while the chat is closed. */
  draft: RefObject<string>;
  /** Without it, no files can be sent. */
  attach?: Attach;
}>;

type Attach = Readonly<{ label: string; onFile: (file: File) => void }>;

const maxTextLength = 4_000;

/** The field to write a message. Enter sends, Shift and Enter begin a line. */
export function ChatComposer({ texts, onSend, draft, attach }: ChatComposerProps): ReactNode {
  const [text, setText] = useState(draft.current);
  const write = (next: string): void => {
    draft.current = next;
    setText(next);
  };
  const send = (event?: SyntheticEvent): void => {
    event?.preventDefault();
    if (text.trim() !== "") {
      onSend(text.trim());
      write("");
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      send();
    }
  };
  return (
    <form className={styles.composer} onSubmit={send}>
      {attach === undefined ? null : <FileButton {...attach} />}
      <textarea
        className={styles.input}
        rows={1}
        maxLength={maxTextLength}
        aria-label={texts.input}
        placeholder={texts.input}
        autoComplete="off"
        value={text}
        onChange={({ currentTarget }) => write(currentTarget.value)}
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

function FileButton({ label, onFile }: Attach): ReactNode {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton label={label} onPress={() => picker.current?.click()}>
        <IconPaperclip size={20} aria-hidden />
      </IconButton>
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={label}
        onChange={({ currentTarget }) => {
          [...(currentTarget.files ?? [])].forEach((file) => onFile(file));
          currentTarget.value = ""; // the same file may be chosen again
        }}
      />
    </>
  );
}
