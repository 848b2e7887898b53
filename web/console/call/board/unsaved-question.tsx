/** Asks whether a drawing may be lost. */
import { useTranslation } from "../../../base/i18n.ts";
import { lazyDialog } from "../../../components/lazy-dialog.tsx";

const [Question, prepare] = lazyDialog(
  async () => (await import("../../../components/confirm.tsx")).Confirm,
  { isOpen: ({ isOpen }) => isOpen },
);

export const prepareQuestion = prepare;

type QuestionProps = Readonly<{
  /** What ends the drawing: closing it, or another photo. */
  before: "close" | "replace";
  isOpen: boolean;
  onKeep: () => void;
  onDiscard: () => void;
}>;

export function UnsavedQuestion({ before, isOpen, onKeep, onDiscard }: QuestionProps) {
  const { t } = useTranslation("call");
  return (
    <Question
      isOpen={isOpen}
      onClose={onKeep}
      title={t(`board.unsaved.${before}.title`)}
      action={t(`board.unsaved.${before}.action`)}
      keep={t("board.keep")}
      isDangerous
      onConfirm={async () => onDiscard()}
    >
      {t(`board.unsaved.${before}.text`)}
    </Question>
  );
}
