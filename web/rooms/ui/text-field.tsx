import { useRef, useState, type ReactNode } from "react";
import type { Point } from "../../../src/contracts/room-messages.ts";
import styles from "./drawing-canvas.module.css";

export type TextFieldProps = Readonly<{
  /** In the box, in CSS pixels. */
  position: Point;
  label: string;
  /** Empty: nothing is written. */
  onDone: (text: string) => void;
}>;

const maxTextLength = 200;

/** The text of a drawing, while it is typed. Enter and a click elsewhere keep it, Escape does not. */
export function TextField({ position, label, onDone }: TextFieldProps): ReactNode {
  const [text, setText] = useState("");
  const isDone = useRef(false);
  const finish = (written: string): void => {
    if (!isDone.current) {
      isDone.current = true; // some browsers report the loss of focus when the field is removed
      onDone(written);
    }
  };
  return (
    <input
      autoFocus
      className={styles.field}
      style={{ left: position.x, top: position.y }}
      aria-label={label}
      maxLength={maxTextLength}
      value={text}
      onChange={({ target }) => setText(target.value)}
      onBlur={() => finish(text)}
      onKeyDown={({ key }) => {
        if (key === "Enter") {
          finish(text);
        } else if (key === "Escape") {
          finish("");
        }
      }}
    />
  );
}
