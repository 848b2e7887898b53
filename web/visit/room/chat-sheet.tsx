/** Messages, photos and files: a sheet on a phone, a column on a large screen. */
import {
  useEffect,
  useRef,
  useState,
  type ChangeEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { IconPaperclip, IconPhoto, IconX } from "@tabler/icons-react";
import type { Room, RoomView } from "../../rooms/room.ts";
import { ChatPanel, type ChatTexts } from "../../rooms/ui/chat-panel.tsx";
import { ClockTime } from "../../rooms/ui/clock-time.tsx";
import { IconButton } from "../../rooms/ui/icon-button.tsx";
import { useWords, type Words } from "../texts.ts";
import styles from "./chat-sheet.module.css";

type ChatSheetProps = Readonly<{
  view: RoomView;
  room: Room;
  /** The agent, for messages without a name. */
  who: string;
  draft: RefObject<string>;
  /** Whether a file is on its way. */
  onFile: (isSending: boolean) => void;
  onClose: () => void;
}>;

export function ChatSheet({ view, room, who, draft, onFile, onClose }: ChatSheetProps): ReactNode {
  const { t, locale } = useWords();
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
        <IconButton label={t("chat_close")} onPress={onClose}>
          <IconX aria-hidden />
        </IconButton>
      </div>
      <ChatPanel
        messages={view.messages}
        texts={chatTextsIn(t)}
        fallbackName={who}
        renderTime={(created) => <ClockTime at={created} locale={locale} />}
        draft={draft}
        onSend={room.sendChat}
        onRetry={room.retryChat}
      >
        <Files room={room} onFile={onFile} />
      </ChatPanel>
    </aside>
  );
}

function chatTextsIn(t: Words["t"]): ChatTexts {
  return {
    title: t("chat"),
    empty: t("chat_empty"),
    input: t("chat_placeholder"),
    send: t("chat_send"),
    sending: t("chat_sending"),
    failed: t("chat_failed"),
    retry: t("chat_retry"),
    you: t("chat_you"),
  };
}

type FilesProps = Pick<ChatSheetProps, "room" | "onFile">;

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
