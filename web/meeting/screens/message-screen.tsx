import { useEffect, type ReactNode } from "react";
import {
  IconAlertTriangle,
  IconCalendarX,
  IconCircleCheck,
  IconClock,
  IconDoorExit,
  IconLinkOff,
  IconLock,
  IconUserX,
  IconUsers,
  type Icon,
} from "@tabler/icons-react";
import type { MeetingFacts } from "../entry/facts.ts";
import { Button } from "../parts/button.tsx";
import type { MessageScreen as MessageName } from "../screen.ts";
import { findText, t } from "../texts.ts";
import { Actions, PageFrame, Text } from "./page-frame.tsx";
import styles from "./message-screen.module.css";

export type MessageScreenProps = Readonly<{
  screen: MessageName;
  facts: MeetingFacts | undefined;
  onAction?: (() => void) | undefined;
}>;

const icons: Readonly<Record<MessageName, Icon>> = {
  unknown: IconLinkOff,
  ended: IconCircleCheck,
  over: IconClock,
  cancelled: IconCalendarX,
  link: IconLinkOff,
  locked: IconLock,
  full: IconUsers,
  denied: IconUserX,
  expired: IconClock,
  left: IconDoorExit,
  removed: IconUserX,
  elsewhere: IconCircleCheck,
  failed: IconAlertTriangle,
};

/** A message, with at most one action. */
export function MessageScreen({ screen, facts, onAction }: MessageScreenProps): ReactNode {
  const title = t(`${screen}_title`);
  const Icon = icons[screen];
  const action = findText(`${screen}_action`);
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <PageFrame
      title={title}
      key={screen}
      eyebrow={
        <>
          <span className={styles.icon}>
            <Icon size={28} aria-hidden />
          </span>
          {facts === undefined ? null : <p className={styles.meeting}>{facts.name}</p>}
        </>
      }
    >
      <Text>{t(`${screen}_text`, { name: facts?.organizer || t("the_organizer") })}</Text>
      {onAction === undefined || action === undefined ? null : (
        <Actions>
          <Button tone="main" onClick={onAction}>
            {action}
          </Button>
        </Actions>
      )}
    </PageFrame>
  );
}
