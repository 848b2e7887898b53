import { useEffect, useRef, type ReactNode, type SyntheticEvent } from "react";
import type { Size } from "./letterbox.ts";
import styles from "./video-tile.module.css";

export type VideoTileProps = Readonly<{
  stream: MediaStream | undefined;
  /** Whether there is a picture; without one the placeholder is shown, and the sound plays on. */
  isVideoOn: boolean;
  /** This person's own camera: no sound comes out of it. */
  isSelf?: boolean;
  /** Only one's own front camera is shown as in a mirror. */
  isMirrored?: boolean;
  fit?: "contain" | "cover";
  /** For assistive technology. */
  name: string;
  /** Shown in the corner. */
  label?: ReactNode;
  placeholder?: ReactNode;
  /** Over the picture: a drawing, or buttons. */
  children?: ReactNode;
  /** The size of the picture, as it changes. */
  onSize?: (size: Size) => void;
  /** The browser plays sound only after a click: call `play()` of the element in one. */
  onBlocked?: (video: HTMLVideoElement) => void;
}>;

/** The video, and the sound, of one person. */
export function VideoTile(props: VideoTileProps): ReactNode {
  const { isVideoOn, isSelf = false, isMirrored = false, fit = "cover" } = props;
  const { stream, name, label, placeholder, children, onSize, onBlocked } = props;
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current !== null) {
      play(video.current, stream, onBlocked);
    }
  }, [stream, onBlocked]);
  const reportSize = ({ currentTarget }: SyntheticEvent<HTMLVideoElement>): void =>
    onSize?.({ width: currentTarget.videoWidth, height: currentTarget.videoHeight });
  return (
    <div
      className={styles.tile}
      data-fit={fit}
      data-mirrored={isMirrored ? "" : undefined}
      data-hidden={isVideoOn ? undefined : ""}
    >
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- live speech has no captions */}
      <video
        ref={video}
        className={styles.video}
        aria-label={name}
        autoPlay
        playsInline
        muted={isSelf}
        onLoadedMetadata={reportSize}
        onResize={reportSize}
      />
      {isVideoOn ? null : <div className={styles.placeholder}>{placeholder}</div>}
      {children}
      {label === undefined ? null : <div className={styles.label}>{label}</div>}
    </div>
  );
}

function play(
  video: HTMLVideoElement,
  stream: MediaStream | undefined,
  onBlocked: VideoTileProps["onBlocked"],
): void {
  const next = stream ?? null;
  if (video.srcObject !== next) {
    video.srcObject = next;
  }
  if (next !== null) {
    video.play().catch((thrown: unknown) => {
      if (thrown instanceof DOMException && thrown.name === "NotAllowedError") {
        onBlocked?.(video);
      }
    });
  }
}
