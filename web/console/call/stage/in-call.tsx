/** The call: the customer large, other people and the agent's camera in the corner. */
import { Alert, Button } from "@mantine/core";
import { IconEye, IconMicrophoneOff, IconScreenShare, IconVolume } from "@tabler/icons-react";
import { useCallback, useState, type ReactNode } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import type { PeerView, Room, RoomView } from "../../../rooms/room.ts";
import { DrawingCanvas } from "../../../rooms/ui/drawing-canvas.tsx";
import type { Size } from "../../../rooms/ui/letterbox.ts";
import { VideoTile } from "../../../rooms/ui/video-tile.tsx";
import { customerStateOf, othersOf, type CustomerState } from "../call-stage.ts";
import { QualityBadges } from "./quality.tsx";
import classes from "./stage.module.css";

type InCallProps = Readonly<{
  room: Room;
  view: RoomView;
  customer: PeerView | undefined;
  name: string;
  isPointing: boolean;
}>;

export function InCall(props: InCallProps) {
  const { view, customer, name } = props;
  const { t } = useTranslation("call");
  const [blocked, setBlocked] = useState<HTMLVideoElement>();
  const onBlocked = useCallback((video: HTMLVideoElement) => setBlocked(video), []);
  return (
    <div className={classes["call"]}>
      <CustomerVideo {...props} onBlocked={onBlocked} />
      <div className={classes["corner"]}>
        {othersOf(view).map((peer) => (
          <Other key={peer.id} peer={peer} />
        ))}
        {/* A screen has no sound: a tile of its own plays that of the customer. */}
        {customer?.screen === undefined ? null : (
          <div className={classes["small"]}>
            <VideoTile
              stream={customer.stream}
              isVideoOn={customer.state.isCameraOn}
              name={t("customer.video", { name })}
              onBlocked={onBlocked}
            />
          </div>
        )}
        {view.local.screen === undefined ? null : (
          <div className={classes["small"]}>
            <VideoTile
              stream={view.local.screen}
              isVideoOn
              isSelf
              fit="contain"
              name={t("own.screen")}
              label={t("own.screen")}
            />
          </div>
        )}
        {view.local.isCameraOn ? (
          <div className={classes["small"]}>
            <VideoTile
              stream={view.local.stream}
              isVideoOn
              isSelf
              isMirrored
              name={t("own.video")}
            />
          </div>
        ) : null}
      </div>
      <QualityBadges own={view.self?.state.quality ?? "good"} customer={customer} name={name} />
      <Notes view={view} customer={customer} />
      {blocked === undefined ? null : (
        <Button
          className={classes["sound"] ?? ""}
          leftSection={<IconVolume size={18} aria-hidden />}
          onClick={() => {
            void blocked.play().then(() => setBlocked(undefined));
          }}
        >
          {t("play_sound")}
        </Button>
      )}
    </div>
  );
}

/** One of the other people. A screen has no sound, so it has a tile beside the person's own. */
function Other({ peer }: { peer: PeerView }) {
  const { t } = useTranslation("call");
  const { name, role, state, stream, screen } = peer;
  const ofScreen = t("customer.screen", { name });
  return (
    <>
      <div className={classes["small"]}>
        <VideoTile
          stream={stream}
          isVideoOn={state.isCameraOn}
          name={t("customer.other", { name })}
          label={role === "expert" ? t("expert.label", { name }) : name}
        />
      </div>
      {screen === undefined ? null : (
        <div className={classes["small"]}>
          <VideoTile stream={screen} isVideoOn fit="contain" name={ofScreen} label={ofScreen} />
        </div>
      )}
    </>
  );
}

type CustomerVideoProps = InCallProps & Readonly<{ onBlocked: (video: HTMLVideoElement) => void }>;

function CustomerVideo(props: CustomerVideoProps) {
  const { room, customer, isPointing } = props;
  const [isHeld, setHeld] = useState(false);
  const canPoint = customerStateOf(customer) === "live";
  const isActive = canPoint && (isPointing || isHeld);
  const release = (): void => {
    setHeld(false);
    room.movePointer(null);
  };
  return (
    <div
      className={classes["customer"]}
      data-customer-video
      data-pointing={isActive || undefined}
      onPointerDown={() => setHeld(canPoint)}
      onPointerUp={release}
      onPointerLeave={release}
    >
      <CustomerTile {...props} isActive={isActive} />
    </div>
  );
}

function CustomerTile(props: CustomerVideoProps & Readonly<{ isActive: boolean }>) {
  const { room, view, customer, name, isActive, onBlocked } = props;
  const { t } = useTranslation("call");
  const [size, setSize] = useState<Size>();
  const state = customerStateOf(customer);
  const { stream, what } = pictureOf(customer);
  return (
    <VideoTile
      stream={stream}
      isVideoOn={state === "live"}
      fit="contain"
      name={t(`customer.${what}`, { name })}
      label={<Label name={name} isMuted={customer?.state.isMicOn === false} />}
      placeholder={<Placeholder state={state} name={name} />}
      onSize={setSize}
      onBlocked={onBlocked}
    >
      {state === "live" && view.board === undefined ? (
        <DrawingCanvas
          picture={size}
          shapes={noShapes}
          pointer={view.pointer?.point}
          labels={{ drawing: t("hint.pointer"), text: "" }}
          {...(isActive ? { onPoint: room.movePointer } : {})}
        />
      ) : null}
    </VideoTile>
  );
}

/** A screen is shown instead of the camera. */
function pictureOf(customer: PeerView | undefined) {
  const screen = customer?.screen;
  return screen === undefined
    ? ({ stream: customer?.stream, what: "video" } as const)
    : ({ stream: screen, what: "screen" } as const);
}

const noShapes = [] as const;

function Label({ name, isMuted }: { name: string; isMuted: boolean }) {
  const { t } = useTranslation("call");
  return (
    <span className={classes["label"]}>
      {isMuted ? <IconMicrophoneOff size={14} aria-label={t("customer.mic_off")} /> : null}
      {name}
    </span>
  );
}

/** The reason for a missing picture, and the next step. */
function Placeholder({ state, name }: { state: CustomerState; name: string }): ReactNode {
  const { t, find } = useTranslation("call");
  if (state === "live") {
    return null;
  }
  return (
    <div role="status" className={classes["placeholder"]}>
      <strong>{t(`customer.${state}`, { name })}</strong>
      <span>{find(`customer.${state}_text`)}</span>
    </div>
  );
}

type NotesProps = Pick<InCallProps, "view" | "customer">;

function useNotes({ view, customer }: NotesProps): readonly string[] {
  const { t } = useTranslation("call");
  const { micFault, cameraFault } = view.local;
  const { state } = view.recording;
  // Media do not pass through the platform: they may go on while it is unreachable.
  const lost = customer?.media === "connected" ? "platform_reconnecting" : "reconnecting";
  return [
    view.connection === "reconnecting" ? t(`own.${lost}`) : undefined,
    micFault === undefined ? undefined : t(`own.mic_fault.${micFault}`),
    cameraFault === undefined ? undefined : t(`own.camera_fault.${cameraFault}`),
    state === "asking" || state === "paused" || state === "refused" || state === "failed"
      ? t(`recording.${state}`)
      : undefined,
  ].filter((note) => note !== undefined);
}

/** Notices about the agent's own devices and connection. */
function Notes(props: NotesProps) {
  const { t } = useTranslation("call");
  const { recording, isWatched, local } = props.view;
  return (
    <div className={classes["notes"]} aria-live="polite">
      {useNotes(props).map((note) => (
        <Alert key={note} color="yellow" variant="filled" py={6} className={classes["note"] ?? ""}>
          {note}
        </Alert>
      ))}
      {isWatched ? (
        <span role="status" className={classes["watched"]}>
          <IconEye size={16} aria-hidden />
          {t("watched")}
        </span>
      ) : null}
      {local.screen === undefined ? null : (
        <span role="status" className={classes["sharing"]}>
          <IconScreenShare size={16} aria-hidden />
          {t("own.sharing")}
        </span>
      )}
      {recording.state === "recording" ? (
        <span className={classes["recording"]}>● {t("recording.on")}</span>
      ) : null}
    </div>
  );
}
