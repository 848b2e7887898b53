/** The pictures and the sound of everybody in the call. */
import { Button, Text } from "@mantine/core";
import { IconMicrophoneOff, IconVideoOff, IconVolume } from "@tabler/icons-react";
import { useCallback, useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { StateBadge } from "../../../components/state-badge.tsx";
import type { PeerView, RoomView } from "../../../rooms/room.ts";
import { VideoTile } from "../../../rooms/ui/video-tile.tsx";
import { meaningOf } from "../types.ts";
import classes from "./watch.module.css";

export function Pictures({ view }: { view: RoomView }) {
  const { t } = useTranslation("rooms");
  const [blocked, setBlocked] = useState<readonly HTMLVideoElement[]>([]);
  const onBlocked = useCallback(
    (video: HTMLVideoElement) => setBlocked((before) => [...before, video]),
    [],
  );
  const people = view.peers.filter(({ isInCall }) => isInCall);
  if (people.length === 0) {
    return <Text c="dimmed">{t("people.none")}</Text>;
  }
  return (
    <>
      {blocked.length === 0 ? null : (
        <Button
          mb="md"
          leftSection={<IconVolume size={18} aria-hidden />}
          onClick={() => {
            void Promise.all(blocked.map((video) => video.play())).then(() => setBlocked([]));
          }}
        >
          {t("watch.play_sound")}
        </Button>
      )}
      <ul className={classes["pictures"]} aria-label={t("list.people")}>
        {people.map((peer) => (
          <Person key={peer.id} peer={peer} onBlocked={onBlocked} />
        ))}
      </ul>
    </>
  );
}

type PersonProps = Readonly<{ peer: PeerView; onBlocked: (video: HTMLVideoElement) => void }>;

function Person({ peer, onBlocked }: PersonProps) {
  const { t } = useTranslation("rooms");
  const { t: base } = useTranslation();
  const { name, role, state, media } = peer;
  const title = role === "supervisor" ? "" : base(`session.role.${role}`);
  const shown = name === "" ? title : name;
  const isConnected = media === "connected";
  const hasPicture = isConnected && state.isCameraOn && !state.isPaused;
  return (
    <li>
      <div className={classes["picture"]}>
        <VideoTile
          stream={peer.stream}
          isVideoOn={hasPicture}
          fit="contain"
          name={shown}
          placeholder={
            <span className={classes["placeholder"]}>
              <IconVideoOff size={28} aria-hidden />
              {t(isConnected ? "watch.no_picture" : "watch.connecting")}
            </span>
          }
          onBlocked={onBlocked}
        />
      </div>
      {peer.screen === undefined ? null : (
        <div className={classes["picture"]}>
          <VideoTile
            stream={peer.screen}
            isVideoOn
            fit="contain"
            name={t("watch.screen", { name: shown })}
          />
        </div>
      )}
      <div className={classes["caption"]}>
        <span className={classes["name"]}>{shown}</span>
        {name === "" ? null : <span className={classes["role"]}>{title}</span>}
        {state.isMicOn ? null : (
          <IconMicrophoneOff size={15} aria-label={t("watch.mic_off")} role="img" />
        )}
        <StateBadge meaning={meaningOf[state.quality]}>{t(`quality.${state.quality}`)}</StateBadge>
      </div>
    </li>
  );
}
