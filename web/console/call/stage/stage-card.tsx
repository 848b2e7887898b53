import { Loader, Text, Title } from "@mantine/core";
import { useEffect, useRef, type ReactNode } from "react";
import classes from "./stage.module.css";

type StageCardProps = Readonly<{
  title: string;
  text?: string | undefined;
  isBusy?: boolean;
  icon?: ReactNode;
  /** A customer is waiting: visible from afar. */
  isRinging?: boolean;
  children?: ReactNode;
}>;

/** The message in place of the video. Screen readers announce each new title. */
export function StageCard(props: StageCardProps) {
  const { title, text, isBusy = false, icon, isRinging = false, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const hasFocus = document.activeElement !== null && document.activeElement !== document.body;
    if (!hasFocus) {
      heading.current?.focus({ preventScroll: true });
    }
  }, [title]);
  return (
    <div className={classes["card"]} data-ringing={isRinging || undefined}>
      {icon === undefined ? null : <span className={classes["icon"]}>{icon}</span>}
      {isBusy ? <Loader size="sm" aria-hidden /> : null}
      <div aria-live="polite">
        <Title order={2} ref={heading} tabIndex={-1} className={classes["title"] ?? ""}>
          {title}
        </Title>
        {text === undefined ? null : <Text className={classes["text"] ?? ""}>{text}</Text>}
      </div>
      {children}
    </div>
  );
}
