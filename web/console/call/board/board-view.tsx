/** A photo frozen for both sides, with the tools that draw on it. */
import { ActionIcon, Loader, Tooltip } from "@mantine/core";
import {
  IconArrowUpRight,
  IconCircle,
  IconHighlight,
  IconLetterT,
  IconPencil,
  type Icon,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { drawTools, type DrawTool } from "../../../../src/contracts/room-messages.ts";
import { useTranslation } from "../../../base/i18n.ts";
import type { Board, Room } from "../../../rooms/room.ts";
import { DrawnPhoto } from "../../../rooms/ui/drawn-photo.tsx";
import { mediasQuery } from "../../tickets/detail/queries.ts";
import { BoardActions } from "./board-actions.tsx";
import classes from "./board.module.css";
import type { Drawing } from "./use-drawing.ts";

type BoardProps = Readonly<{
  room: Room;
  board: Board;
  drawing: Drawing;
  ticketId: number;
}>;

const colors = ["#e6003c", "#ffc400", "#00a35c", "#1f6feb"] as const;

export function BoardView({ room, board, drawing, ticketId }: BoardProps) {
  const { t } = useTranslation("call");
  const { data } = useQuery(mediasQuery(ticketId));
  const image = useRef<HTMLImageElement>(null);
  const [tool, setTool] = useState<DrawTool>("pen");
  const [color, setColor] = useState<string>(colors[0]);
  const url = data?.data.find(({ id }) => id === board.mediaId)?.url;
  return (
    <section className={classes["board"]} aria-label={t("board.title")}>
      <div className={classes["photo"]}>
        {url === undefined ? (
          <span role="status">
            <Loader size="sm" aria-hidden /> {t("board.loading")}
          </span>
        ) : null}
        <DrawnPhoto
          {...{ url, image, tool, color }}
          alt={t("board.canvas")}
          shapes={board.shapes}
          onShape={(shape) => room.changeBoard({ op: "put", shape })}
          onDiscard={(id) => room.changeBoard({ op: "remove", id })}
          labels={{ drawing: t("board.canvas"), text: t("board.text_field") }}
        />
      </div>
      <div className={classes["tools"]} role="toolbar" aria-label={t("board.title")}>
        <DrawTools tool={tool} onTool={setTool} />
        <Colors color={color} onColor={setColor} />
        <BoardActions {...{ room, board, drawing, image }} />
      </div>
    </section>
  );
}

const icons: Record<DrawTool, Icon> = {
  pen: IconPencil,
  arrow: IconArrowUpRight,
  circle: IconCircle,
  text: IconLetterT,
  highlighter: IconHighlight,
};

function DrawTools({ tool, onTool }: { tool: DrawTool; onTool: (tool: DrawTool) => void }) {
  const { t } = useTranslation("call");
  return drawTools.map((one) => {
    const Picture = icons[one];
    return (
      <Tooltip key={one} label={t(`board.${one}`)}>
        <ActionIcon
          size={44}
          variant={one === tool ? "filled" : "default"}
          aria-pressed={one === tool}
          aria-label={t(`board.${one}`)}
          onClick={() => onTool(one)}
        >
          <Picture size={20} aria-hidden />
        </ActionIcon>
      </Tooltip>
    );
  });
}

function Colors({ color, onColor }: { color: string; onColor: (color: string) => void }) {
  const { t } = useTranslation("call");
  return (
    <div className={classes["colors"]} role="group" aria-label={t("board.color")}>
      {colors.map((one) => (
        <button
          key={one}
          type="button"
          style={{ backgroundColor: one }}
          aria-pressed={one === color}
          aria-label={t(`board.colors.${one}`)}
          title={t(`board.colors.${one}`)}
          onClick={() => onColor(one)}
        />
      ))}
    </div>
  );
}
