/** The pictures: the main one is large, the others are small in a corner. */
import {
  useEffect,
  useRef,
  useState,
  type CSSProperties,
  type ReactNode,
  type RefObject,
} from "react";
import {
  IconMicrophone,
  IconMicrophoneOff,
  IconScreenShare,
  IconVideoOff,
} from "@tabler/icons-react";
import type { PeerView, Room, RoomView } from "../../rooms/room.ts";
import { DrawingCanvas } from "../../rooms/ui/drawing-canvas.tsx";
import { FrozenPhoto } from "../../rooms/ui/frozen-photo.tsx";
import type { Size } from "../../rooms/ui/letterbox.ts";
import { VideoTile } from "../../rooms/ui/video-tile.tsx";
import { useWords } from "../texts.ts";
import styles from "./stage.module.css";

export type StageProps = Readonly<{
  view: RoomView;
  room: Room;
  agent: PeerView | undefined;
  who: string;
  isFlashing: boolean;
}>;

type TilePlace = "large" | "small" | "hidden";

export function Stage({ view, room, agent, who, isFlashing }: StageProps): ReactNode {
  const { t } = useWords();
  const { board, pointer } = view;
  const stage = usePlayOnceCapturing(view);
  const experts = view.peers.filter(
    ({ role, isInCall, state }) =>
      role === "expert" && isInCall && (state.isCameraOn || state.isSharing),
  );
  const isAgentSeen = agent !== undefined && (agent.state.isCameraOn || agent.state.isSharing);
  const isPointing = pointer !== undefined && board === undefined;
  const ownPlace: TilePlace =
    board !== undefined || (isAgentSeen && !isPointing) ? "small" : "large";
  return (
    <div ref={stage} className={styles.stage}>
      {board === undefined ? null : (
        <div key={board.mediaId} className={styles.board}>
          <FrozenPhoto
            {...{ board, room, label: t("board_label", { who }) }}
            pointer={pointer?.point}
          />
        </div>
      )}
      {view.peers.map((peer) =>
        peer.isInCall ? (
          <PeerTile
            key={peer.id}
            peer={peer}
            nth={experts.indexOf(peer)}
            place={placeOf(peer, { agent, isLarge: ownPlace === "small" && board === undefined })}
          />
        ) : null,
      )}
      <OwnTile view={view} place={ownPlace} />
      <div className={styles.flash} data-flashing={isFlashing ? "" : undefined} />
    </div>
  );
}

type Arrangement = Readonly<{ agent: PeerView | undefined; isLarge: boolean }>;

/** People without video have no tile, only an audio element. */
function placeOf(peer: PeerView, { agent, isLarge }: Arrangement): TilePlace {
  if (!peer.state.isCameraOn && !peer.state.isSharing) {
    return "hidden";
  }
  return isLarge && peer.id === agent?.id ? "large" : "small";
}

type PeerTileProps = Readonly<{
  peer: PeerView;
  place: TilePlace;
  /** The place among the experts; -1 for the agent. */
  nth: number;
}>;

function PeerTile({ peer, place, nth }: PeerTileProps): ReactNode {
  const { t } = useWords();
  const { state, stream, screen } = peer;
  const name = peer.role === "expert" ? t("expert_named", { who: peer.name }) : peer.name;
  const Icon = state.isMicOn ? IconMicrophone : IconMicrophoneOff;
  return (
    <div
      className={styles.tile}
      data-place={place}
      data-expert={nth < 0 ? undefined : ""}
      style={{ "--nth": nth } as CSSProperties}
    >
      <VideoTile
        stream={stream}
        isVideoOn={state.isCameraOn}
        name={t("agent_video", { who: name })}
        onBlocked={playAtNextPress}
        label={
          <>
            <Icon size={16} aria-hidden /> {name}
          </>
        }
      />
      {state.isSharing && screen !== undefined ? (
        <div className={styles.screen}>
          <VideoTile
            isVideoOn
            fit="contain"
            stream={screen}
            name={t("agent_screen", { who: name })}
            label={
              <>
                <IconScreenShare size={16} aria-hidden /> {t("agent_screen", { who: name })}
              </>
            }
          />
        </div>
      ) : null}
    </div>
  );
}

/** Browsers that played no sound before do so once the page has the camera or the microphone. */
function usePlayOnceCapturing({ local }: RoomView): RefObject<HTMLDivElement | null> {
  const stage = useRef<HTMLDivElement>(null);
  const isCapturing = local.isMicOn || local.isCameraOn;
  useEffect(() => {
    const videos = [...(stage.current?.querySelectorAll("video") ?? [])];
    const blocked = videos.filter(({ paused, srcObject }) => paused && srcObject !== null);
    blocked.forEach((video) => void video.play().catch(() => undefined));
  }, [isCapturing]);
  return stage;
}

/** Some browsers play sound only after the next touch of the page. */
function playAtNextPress(video: HTMLVideoElement): void {
  document.addEventListener("click", () => void video.play().catch(() => undefined), {
    once: true,
  });
}

function OwnTile({ view, place }: Readonly<{ view: RoomView; place: TilePlace }>): ReactNode {
  const { t } = useWords();
  const [picture, setPicture] = useState<Size>();
  const { local, pointer, board } = view;
  const isVideoOn = local.isCameraOn && !local.isPaused;
  const point = board === undefined && isVideoOn ? pointer?.point : undefined;
  return (
    <div className={styles.tile} data-place={place} data-own="">
      <VideoTile
        isSelf
        isVideoOn={isVideoOn}
        fit={place === "large" ? "contain" : "cover"}
        stream={local.stream}
        name={t("own_video")}
        onSize={setPicture}
        placeholder={<OwnPlaceholder isPaused={local.isPaused} isSmall={place === "small"} />}
      >
        {place === "large" ? (
          <DrawingCanvas
            picture={picture}
            shapes={[]}
            pointer={point}
            labels={{ drawing: t("own_video"), text: "" }}
          />
        ) : null}
      </VideoTile>
    </div>
  );
}

type PlaceholderProps = Readonly<{ isPaused: boolean; isSmall: boolean }>;

function OwnPlaceholder({ isPaused, isSmall }: PlaceholderProps): ReactNode {
  const { t } = useWords();
  return (
    <div className={styles.placeholder}>
      <IconVideoOff size={isSmall ? 24 : 44} aria-hidden />
      {isSmall ? null : (
        <>
          <strong>{t(isPaused ? "paused_title" : "camera_off")}</strong>
          {isPaused ? <span>{t("paused_text")}</span> : null}
        </>
      )}
    </div>
  );
}
