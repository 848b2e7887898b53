/** Questions over the call that need an answer. */
import { useEffect, useId, useRef, type ReactNode } from "react";
import { Button } from "../screens/screen.tsx";
import { useWords } from "../texts.ts";
import styles from "./questions.module.css";

type RecordingProps = Readonly<{ who: string; onAnswer: (isAccepted: boolean) => void }>;

export function RecordingQuestion({ who, onAnswer }: RecordingProps): ReactNode {
  const { t } = useWords();
  return (
    <Question title={t("record_title")} text={t("record_text", { who })}>
      <Button isMain onPress={() => onAnswer(true)}>
        {t("record_accept")}
      </Button>
      <Button onPress={() => onAnswer(false)}>{t("record_refuse")}</Button>
    </Question>
  );
}

type LeaveProps = Readonly<{ onCancel: () => void; onLeave: () => void }>;

export function LeaveQuestion({ onCancel, onLeave }: LeaveProps): ReactNode {
  const { t } = useWords();
  return (
    <Question title={t("leave_title")} onEscape={onCancel}>
      <Button isMain onPress={onCancel}>
        {t("leave_no")}
      </Button>
      <Button onPress={onLeave}>{t("leave_yes")}</Button>
    </Question>
  );
}

type QuestionProps = Readonly<{
  title: string;
  text?: string;
  /** Undefined: it has to be answered. */
  onEscape?: () => void;
  children: ReactNode;
}>;

/** The rest of the page is inert meanwhile; afterwards the focus is where it was. */
function Question({ title, text, onEscape, children }: QuestionProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    heading.current?.focus();
    return () => {
      if (before instanceof HTMLElement) {
        // Once the page is not inert any more.
        requestAnimationFrame(() => before.focus());
      }
    };
  }, []);
  return (
    <div className={styles.backdrop}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape works from any part */}
      <div
        className={styles.question}
        role="alertdialog"
        tabIndex={-1}
        aria-modal
        aria-labelledby={id}
        onKeyDown={({ key }) => {
          if (key === "Escape") {
            onEscape?.();
          }
        }}
      >
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {text === undefined ? null : <p>{text}</p>}
        <div className={styles.answers}>{children}</div>
      </div>
    </div>
  );
}
