/** The live chat of the room. */
import type { RefObject } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { RelativeTime } from "../../../components/relative-time.tsx";
import type { Room } from "../../../rooms/room.ts";
import { ChatPanel } from "../../../rooms/ui/chat-panel.tsx";
import { useRoom } from "../../../rooms/ui/use-room.ts";
import panel from "./panel.module.css";

export function RoomChat({ room, draft }: { room: Room; draft: RefObject<string> }) {
  const { t } = useTranslation("call");
  const { messages } = useRoom(room);
  return (
    <div className={panel["chat"]}>
      <ChatPanel
        messages={messages.map((one) =>
          one.author === "agent" ? { ...one, name: one.name || t("expert.colleague") } : one,
        )}
        texts={{
          title: t("panel.chat"),
          empty: t("chat.empty"),
          input: t("chat.write"),
          send: t("chat.send"),
          sending: t("chat.sending"),
          failed: t("chat.failed"),
          retry: t("chat.retry"),
          you: t("chat.you"),
        }}
        fallbackName={t("panel.customer")}
        renderTime={(created) => <RelativeTime at={created} />}
        draft={draft}
        onSend={room.sendChat}
        onRetry={room.retryChat}
      />
    </div>
  );
}
