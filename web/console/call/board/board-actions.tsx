/** What is done with a whole drawing. */
import { ActionIcon, Button } from "@mantine/core";
import { IconArrowBackUp, IconDeviceFloppy, IconTrash, IconX } from "@tabler/icons-react";
import { useState, type RefObject } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { showDone, showRefusal } from "../../../components/show-fault.tsx";
import type { Board, Room } from "../../../rooms/room.ts";
import { flattenDrawing } from "../../../rooms/ui/flatten.ts";
import { prepareQuestion, UnsavedQuestion } from "./unsaved-question.tsx";
import type { Drawing } from "./use-drawing.ts";

type ActionProps = Readonly<{
  room: Room;
  board: Board;
  drawing: Pick<Drawing, "isSaved" | "markSaved">;
  image: RefObject<HTMLImageElement | null>;
}>;

/** Undo, clear, save and close. */
export function BoardActions({ room, board, drawing, image }: ActionProps) {
  const { t } = useTranslation("call");
  const [isSaving, setSaving] = useState(false);
  const last = board.shapes.at(-1);
  const save = async (): Promise<void> => {
    if (image.current === null) {
      return;
    }
    setSaving(true);
    try {
      const picture = await flattenDrawing(image.current, board);
      if ((await room.sendFile(picture, `drawing-${board.mediaId}.jpg`)) !== undefined) {
        drawing.markSaved(board.shapes);
        showDone(t("board.saved"));
      }
    } catch {
      showRefusal(t("board.save_failed"));
    } finally {
      setSaving(false);
    }
  };
  return (
    <>
      <ActionIcon
        size={44}
        variant="default"
        disabled={last === undefined}
        aria-label={t("board.undo")}
        title={t("board.undo")}
        onClick={() => last && room.changeBoard({ op: "remove", id: last.id })}
      >
        <IconArrowBackUp size={20} aria-hidden />
      </ActionIcon>
      <ActionIcon
        size={44}
        variant="default"
        disabled={last === undefined}
        aria-label={t("board.clear")}
        title={t("board.clear")}
        onClick={() => room.changeBoard({ op: "clear" })}
      >
        <IconTrash size={20} aria-hidden />
      </ActionIcon>
      <Button
        h={44}
        loading={isSaving}
        leftSection={<IconDeviceFloppy size={18} aria-hidden />}
        onClick={() => void save()}
      >
        {t("board.save")}
      </Button>
      <CloseButton
        isSaved={() => drawing.isSaved(board)}
        onClose={() => room.changeBoard({ op: "close" })}
      />
    </>
  );
}

/** Asks first if closing would lose what was drawn. */
function CloseButton({ isSaved, onClose }: { isSaved: () => boolean; onClose: () => void }) {
  const { t } = useTranslation("call");
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        h={44}
        variant="default"
        leftSection={<IconX size={18} aria-hidden />}
        onPointerEnter={prepareQuestion}
        onFocus={prepareQuestion}
        onClick={() => (isSaved() ? onClose() : setAsking(true))}
      >
        {t("board.close")}
      </Button>
      <UnsavedQuestion
        before="close"
        isOpen={isAsking}
        onKeep={() => setAsking(false)}
        onDiscard={onClose}
      />
    </>
  );
}
