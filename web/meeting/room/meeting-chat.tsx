import { IconFile } from "@tabler/icons-react";
import { useEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import type { Room, RoomView, SharedFile } from "../../rooms/room.ts";
import { ChatPanel } from "../../rooms/ui/chat-panel.tsx";
import { ClockTime } from "../../rooms/ui/clock-time.tsx";
import { locale, t } from "../texts.ts";
import type { FilePositions } from "./use-file-positions.ts";
import styles from "./meeting-chat.module.css";

export type MeetingChatProps = Readonly<{
  room: Room;
  view: RoomView;
  positions: FilePositions;
  draft: RefObject<string>;
}>;

export function MeetingChat({ room, view, positions, draft }: MeetingChatProps): ReactNode {
  const [uploads, setUploads] = useState<readonly string[]>([]);
  const send = async (file: File): Promise<void> => {
    setUploads((known) => [...known, file.name]);
    await room.sendFile(file, file.name);
    setUploads((known) => known.filter((name) => name !== file.name));
  };
  const filesAfter = (count: number): ReactNode => (
    <>
      {view.shared
        .filter(({ mediaId }) => positions.get(mediaId) === count)
        .map((shared) => (
          <File key={shared.mediaId} {...shared} room={room} view={view} />
        ))}
      {count === view.messages.length
        ? uploads.map((name) => (
            <p key={name} className={styles.upload} role="status">
              {t("file_uploading", { file: name })}
            </p>
          ))
        : null}
    </>
  );
  return (
    <ChatPanel
      messages={view.messages}
      texts={chatTexts}
      renderTime={(created) => <ClockTime at={created} locale={locale} />}
      fallbackName={t("guest")}
      between={filesAfter}
      draft={draft}
      onSend={room.sendChat}
      onRetry={room.retryChat}
      attach={{ label: t("chat_attach"), onFile: (file) => void send(file) }}
    />
  );
}

const chatTexts = {
  title: t("chat"),
  empty: t("chat_empty"),
  emptyNote: t("chat_empty_text"),
  input: t("chat_input"),
  send: t("chat_send"),
  sending: t("chat_sending"),
  failed: t("chat_failed"),
  retry: t("chat_retry"),
  you: t("you"),
};

type FileProps = Readonly<{ room: Room; view: RoomView; mediaId: number; from: string }>;

function File({ room, view, mediaId, from }: FileProps): ReactNode {
  const [file, setFile] = useState<SharedFile | "gone">();
  useEffect(() => {
    let isOver = false;
    void room.findFile(mediaId).then((found) => {
      if (!isOver) {
        setFile(found ?? "gone");
      }
    });
    return () => {
      isOver = true;
    };
  }, [room, mediaId]);
  // Kept, because the person may have left by now.
  const sender = useRef(senderOf(view, from));
  if (file === undefined || file === "gone") {
    return file === "gone" ? <p className={styles.upload}>{t("file_gone")}</p> : null;
  }
  return (
    <div className={styles.file} data-own={from === view.self?.id ? "" : undefined}>
      <small>{t("file_from", { name: sender.current })}</small>
      <a className={styles.link} href={file.url} target="_blank" rel="noreferrer">
        <IconFile size={22} aria-hidden />
        <span>{file.name}</span>
        <small>{sizeOf(file.bytes)}</small>
      </a>
    </div>
  );
}

function senderOf({ self, peers }: RoomView, from: string): string {
  if (from === self?.id) {
    return t("you");
  }
  return peers.find(({ id }) => id === from)?.name || t("guest");
}

function sizeOf(bytes: number): string {
  const kilobytes = Math.ceil(bytes / 1024);
  const isLarge = kilobytes >= 1024;
  return (isLarge ? kilobytes / 1024 : kilobytes).toLocaleString(locale, {
    ...{ style: "unit", unit: isLarge ? "megabyte" : "kilobyte", unitDisplay: "short" },
    maximumFractionDigits: 1,
  });
}
