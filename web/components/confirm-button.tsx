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
    /** Title of the dialog. */
    title: string;
    /** Label of the dialog's confirm button, a verb; defaults to `label`. */
    action?: string;
    isDangerous?: boolean;
    /** Describes the consequences, in numbers. */
    children: ReactNode;
    /** If it throws, the dialog stays open and shows the error. */
    onConfirm: () => Promise<unknown>;
  }>;

/** A button that asks for confirmation before its action. */
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
