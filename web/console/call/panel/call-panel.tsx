/** Beside the video, on a phone below it as a sheet: chat, timeline, files, customer. */
import { Skeleton, Tabs } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconFiles, IconMessage, IconTimeline, IconUser, type Icon } from "@tabler/icons-react";
import { useRef, useState, useSyncExternalStore } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { PartBoundary } from "../../../components/error-boundary.tsx";
import { lazyPart } from "../../../components/lazy-part.tsx";
import type { ChatEntry, Room } from "../../../rooms/room.ts";
import { useUnread } from "../../../rooms/ui/use-unread.ts";
import type { Ticket } from "../../tickets/types.ts";
import classes from "./panel.module.css";
import { RoomChat } from "./room-chat.tsx";
import { tabs, type Tab } from "./tabs.ts";

type PanelProps = Readonly<{ ticket: Ticket; room: Room | undefined }>;

/** Loaded after the stage, because the call has priority. */
const TicketParts = lazyPart(async () => (await import("./ticket-parts.tsx")).TicketParts);

const icons: Record<Tab, Icon> = {
  chat: IconMessage,
  timeline: IconTimeline,
  files: IconFiles,
  customer: IconUser,
};

export function CallPanel({ ticket, room }: PanelProps) {
  const { t } = useTranslation("call");
  const isSheet = useMediaQuery("(max-width: 62em)", window.innerWidth < 992);
  const [tab, setTab] = useState<Tab>("chat");
  const [isOpen, setOpen] = useState(false);
  const draft = useRef("");
  const isShown = !isSheet || isOpen;
  const unread = useUnread(useMessages(room), isShown && tab === "chat");
  const choose = (next: Tab): void => {
    setOpen(!isSheet || !(isOpen && next === tab));
    setTab(next);
  };
  return (
    <aside
      className={classes["panel"]}
      data-open={isOpen || undefined}
      aria-label={t("panel.title")}
    >
      <Tabs
        value={tab}
        onChange={() => undefined}
        keepMounted={false}
        className={classes["tabs"] ?? ""}
      >
        <Tabs.List grow className={classes["list"] ?? ""}>
          {tabs.map((one) => {
            const Picture = icons[one];
            return (
              <Tabs.Tab
                key={one}
                value={one}
                leftSection={<Picture size={16} aria-hidden />}
                onClick={() => choose(one)}
              >
                {t(`panel.${one}`)}
                {one === "chat" && unread > 0 ? (
                  <span className={classes["unread"]} aria-label={t("chat.new", { count: unread })}>
                    {unread}
                  </span>
                ) : null}
              </Tabs.Tab>
            );
          })}
        </Tabs.List>
        {isShown ? (
          <Tabs.Panel value={tab} className={classes["content"] ?? ""}>
            {tab === "chat" && room !== undefined ? (
              <RoomChat {...{ room, draft }} />
            ) : (
              <PartBoundary placeholder={<Skeleton height={160} />}>
                <TicketParts tab={tab} ticket={ticket} />
              </PartBoundary>
            )}
          </Tabs.Panel>
        ) : null}
      </Tabs>
    </aside>
  );
}

function useMessages(room: Room | undefined): readonly ChatEntry[] {
  return useSyncExternalStore(
    room?.subscribe ?? subscribeToNothing,
    () => room?.view().messages ?? nothing,
  );
}

const nothing: readonly ChatEntry[] = [];

function subscribeToNothing(): () => void {
  return () => undefined;
}
