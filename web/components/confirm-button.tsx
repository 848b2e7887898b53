import { Button, type ButtonProps } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { lazyDialog } from "./lazy-dialog.tsx";

const [Question, prepareQuestion] = lazyDialog(
  async () => (await import("./confirm.tsx")).Confirm,
  {
    isOpen: ({ isOpen }) => isOpen,
  },
);

type ConfirmButtonProps = Pick<ButtonProps, "variant" | "color" | "c" | "leftSection"> &
  Readonly<{
    label: string;
    /** The question. */
    title: string;
    /** What the button below the question does, as a verb; the label where it is not given. */
    action?: string;
    isDangerous?: boolean;
    /** What will happen, in numbers. */
    children: ReactNode;
    /** The question stays open, with the fault, where it throws. */
    onConfirm: () => Promise<unknown>;
  }>;

/** A button that says what will happen, and does it only then. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const {
    label,
    title,
    action = label,
    isDangerous = false,
    children,
    onConfirm,
    ...buttonProps
  } = props;
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        size="xs"
        {...buttonProps}
        onPointerEnter={prepareQuestion}
        onFocus={prepareQuestion}
        onClick={() => setAsking(true)}
      >
        {label}
      </Button>
      <Question
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={title}
        action={action}
        isDangerous={isDangerous}
        onConfirm={onConfirm}
      >
        {children}
      </Question>
    </>
  );
}
