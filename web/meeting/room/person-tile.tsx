import {
  IconAntennaBars2,
  IconHandStop,
  IconMicrophoneOff,
  IconPin,
  IconPinnedOff,
} from "@tabler/icons-react";
import { useRef, useState, type ReactNode } from "react";
import type { Size } from "../../rooms/ui/letterbox.ts";
import { useBoxSize } from "../../rooms/ui/use-box-size.ts";
import { VideoTile } from "../../rooms/ui/video-tile.tsx";
import { t, type TextKey } from "../texts.ts";
import { initialsOf, isFrontCamera, type Person } from "./person.ts";
import styles from "./person-tile.module.css";

export type PersonTileProps = Readonly<{
  person: Person;
  isSpeaking: boolean;
  isSmall?: boolean;
  isPinned?: boolean;
  /** Undefined: it cannot be shown large. */
  onPin?: (() => void) | undefined;
  onBlocked: (video: HTMLVideoElement) => void;
  /** Over the picture, of this size, which is then shown whole. */
  overlay?: ((picture: Size | undefined) => ReactNode) | undefined;
}>;

/** The picture of a person, or their initials. */
export function PersonTile(props: PersonTileProps): ReactNode {
  const { person, isSpeaking, isSmall = false, isPinned = false, onPin } = props;
  const { overlay, onBlocked } = props;
  const { name, isSelf, stream } = person;
  const box = useRef<HTMLDivElement>(null);
  const boxSize = useBoxSize(box);
  const [picture, setPicture] = useState<Size>();
  return (
    <div
      ref={box}
      className={styles.tile}
      data-speaking={isSpeaking ? "" : undefined}
      data-small={isSmall ? "" : undefined}
    >
      <VideoTile
        stream={stream}
        isVideoOn={hasPicture(person)}
        isSelf={isSelf}
        fit={overlay === undefined ? fitOf(boxSize, isSmall ? undefined : picture) : "contain"}
        onSize={setPicture}
        isMirrored={isSelf && isFrontCamera(stream)}
        name={t("video_of", { name })}
        placeholder={<Placeholder person={person} isSmall={isSmall} />}
        label={<Label person={person} />}
        onBlocked={onBlocked}
      >
        {overlay?.(picture)}
        <Badges person={person} />
        {onPin === undefined ? null : <PinButton name={name} isPinned={isPinned} onPin={onPin} />}
      </VideoTile>
    </div>
  );
}

function hasPicture({ state, stream, media }: Person): boolean {
  return state.isCameraOn && !state.isPaused && stream !== undefined && media !== "failed";
}

/** Fills the tile, unless more than half of the picture would be cut off: a laptop's on a phone. */
function fitOf(box: Size, picture: Size | undefined): "contain" | "cover" {
  if (picture === undefined || picture.height === 0 || box.height === 0) {
    return "cover";
  }
  const ratio = box.width / box.height / (picture.width / picture.height);
  return Math.min(ratio, 1 / ratio) < 0.5 ? "contain" : "cover";
}

function Placeholder({
  person,
  isSmall,
}: Readonly<{ person: Person; isSmall: boolean }>): ReactNode {
  const note = noteOf(person);
  return (
    <div className={styles.placeholder}>
      <span className={styles.initials} aria-hidden>
        {initialsOf(person.name)}
      </span>
      {note === undefined || isSmall ? null : <span className={styles.note}>{t(note)}</span>}
    </div>
  );
}

function noteOf({ isSelf, media, state }: Person): TextKey | undefined {
  if (!isSelf && media !== "connected") {
    return `media_${media}`;
  }
  return state.isPaused ? "is_paused" : undefined;
}

function Label({ person }: Readonly<{ person: Person }>): ReactNode {
  const { name, isSelf, state } = person;
  return (
    <span className={styles.label}>
      {state.isMicOn ? null : (
        <IconMicrophoneOff
          size={16}
          className={styles.muted}
          role="img"
          aria-label={t("is_muted")}
        />
      )}
      <span>{isSelf ? t("you") : name}</span>
    </span>
  );
}

function Badges({ person: { state, media, isSelf } }: Readonly<{ person: Person }>): ReactNode {
  const isWeak = state.quality !== "good" && !isSelf;
  return (
    <div className={styles.badges}>
      {state.isHandRaised ? (
        <span className={styles.badge} data-hand="">
          <IconHandStop size={18} role="img" aria-label={t("hand_raised")} />
        </span>
      ) : null}
      {isWeak ? (
        <span className={styles.badge} data-quality={state.quality}>
          <IconAntennaBars2
            size={18}
            role="img"
            aria-label={t(state.quality === "poor" ? "quality_poor" : "quality_fair")}
          />
        </span>
      ) : null}
      {!isSelf && media === "reconnecting" ? (
        <span className={styles.badge}>{t("media_reconnecting")}</span>
      ) : null}
    </div>
  );
}

type PinProps = Readonly<{ name: string; isPinned: boolean; onPin: () => void }>;

function PinButton({ name, isPinned, onPin }: PinProps): ReactNode {
  const label = isPinned ? t("show_all") : t("show_large", { name });
  return (
    <button type="button" className={styles.pin} aria-label={label} title={label} onClick={onPin}>
      {isPinned ? <IconPinnedOff size={18} aria-hidden /> : <IconPin size={18} aria-hidden />}
    </button>
  );
}
