import { Text } from "@mantine/core";
import {
  IconFile,
  IconFileTypePdf,
  IconMicrophone,
  IconPhoto,
  IconVideo,
  type Icon,
} from "@tabler/icons-react";
import { useTranslation } from "../../../base/i18n.ts";
import { formatBytes } from "../../../base/format.ts";
import { StateBadge } from "../../../components/state-badge.tsx";
import type { Media } from "../types.ts";
import classes from "./media.module.css";

const icons: Partial<Record<Media["media_type"], Icon>> = {
  image: IconPhoto,
  video: IconVideo,
  audio: IconMicrophone,
  document: IconFileTypePdf,
};

type TileProps = Readonly<{
  media: Media;
  /** Preloads the dialog. */
  onNear: () => void;
  onOpen: () => void;
}>;

export function MediaTile({ media, onNear, onOpen }: TileProps) {
  const { t } = useTranslation("tickets");
  const Picture = icons[media.media_type] ?? IconFile;
  return (
    <li>
      <button
        type="button"
        className={classes["tile"]}
        onPointerEnter={onNear}
        onFocus={onNear}
        onClick={onOpen}
      >
        <span className={classes["preview"]}>
          {isShown(media) ? (
            <img src={media.url} alt="" loading="lazy" />
          ) : (
            <Picture size={26} stroke={1.4} aria-hidden />
          )}
        </span>
        <Text size="xs" truncate>
          {media.title}
        </Text>
        <Text size="xs" c="dimmed" component="span">
          {media.status === "completed" ? (
            formatBytes(media.filesize ?? 0)
          ) : (
            <StateBadge meaning={media.status === "error" ? "bad" : "waiting"}>
              {t(`media.status.${media.status}`)}
            </StateBadge>
          )}
        </Text>
      </button>
    </li>
  );
}

/** Image types that every browser can show. */
const shown: readonly (string | null)[] = [
  ...["image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "image/bmp"],
];

export function isShown({ type, status }: Media): boolean {
  return status === "completed" && shown.includes(type);
}
