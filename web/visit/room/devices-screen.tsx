/** The check before the call: camera, microphone and network, with words of help for this browser. */
import { useEffect, useState, type ReactNode } from "react";
import { IconAlertTriangle, IconCheck, IconLoader2, IconX } from "@tabler/icons-react";
import { LevelMeter } from "../../rooms/ui/level-meter.tsx";
import { useRoom } from "../../rooms/ui/use-room.ts";
import { VideoTile } from "../../rooms/ui/video-tile.tsx";
import type { LocalMedia, Room } from "../../rooms/room.ts";
import { detectBrowser } from "../browser-kind.ts";
import { areDevicesAllowed } from "../capabilities.ts";
import { deviceProblemOf, type DeviceProblem } from "../device-problem.ts";
import { Button, Fault, Screen } from "../screens/screen.tsx";
import { useWords } from "../texts.ts";
import type { TextKey } from "../text-key.ts";
import type { VisitControl } from "../use-visit.ts";
import styles from "./devices-screen.module.css";
import { WithRoom } from "./with-room.tsx";
import { useNetworkCheck, type NetworkCheck } from "./use-network-check.ts";

type Props = Readonly<{ visit: VisitControl }>;

export function DevicesScreen({ visit }: Props): ReactNode {
  return <WithRoom visit={visit}>{(room) => <DeviceCheck visit={visit} room={room} />}</WithRoom>;
}

type CheckProps = Props & Readonly<{ room: Room }>;

type Step = "before" | "asking" | "asked";

function DeviceCheck({ visit, room }: CheckProps): ReactNode {
  const { local } = useRoom(room);
  const [step, setStep] = useState<Step>("before");
  const ask = async (): Promise<void> => {
    setStep("asking");
    await room.openDevices({ camera: true, microphone: true });
    setStep("asked");
  };
  useEffect(() => {
    void areDevicesAllowed().then((isAllowed) => (isAllowed ? ask() : undefined));
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the screen comes
  }, [room]);
  if (step !== "asked") {
    return <Question isAsking={step === "asking"} onAllow={() => void ask()} />;
  }
  return <Result {...{ visit, room, local }} onRetry={() => void ask()} />;
}

type QuestionProps = Readonly<{ isAsking: boolean; onAllow: () => void }>;

function Question({ isAsking, onAllow }: QuestionProps): ReactNode {
  const { t } = useWords();
  return (
    <Screen
      title={t("devices_title")}
      text={t(isAsking ? "devices_asking" : "devices_text")}
      actions={
        <Button isMain isBusy={isAsking} onPress={onAllow}>
          {t("devices_allow")}
        </Button>
      }
    />
  );
}

type ResultProps = CheckProps & Readonly<{ local: LocalMedia; onRetry: () => void }>;

function Result({ visit, room, local, onRetry }: ResultProps): ReactNode {
  const { t } = useWords();
  const problem = deviceProblemOf(local);
  const hasCamera = local.cameraFault === undefined;
  const hasMicrophone = local.micFault === undefined;
  return (
    <Screen
      title={t(problem?.title ?? "devices_ready")}
      text={problem === undefined ? t("devices_ready_text", { who: visit.who }) : undefined}
      actions={
        <>
          {visit.hasFailed ? <Fault>{t("failed_text")}</Fault> : null}
          {problem === undefined ? null : (
            <Button isMain onPress={onRetry}>
              {t("retry")}
            </Button>
          )}
          <JoinButton {...{ visit, hasCamera, hasMicrophone }} />
        </>
      }
    >
      {problem === undefined ? null : <Help problem={problem} />}
      <DeviceChecks {...{ visit, room, local, hasCamera, hasMicrophone }} />
    </Screen>
  );
}

type DeviceChecksProps = JoinProps & Pick<ResultProps, "room" | "local">;

function DeviceChecks(props: DeviceChecksProps): ReactNode {
  const { t } = useWords();
  const { visit, room, local, hasCamera, hasMicrophone } = props;
  const network = useNetworkCheck(visit.api);
  return (
    <>
      <NetworkHelp network={network} />
      {hasCamera ? <Preview local={local} /> : null}
      {hasMicrophone ? <LevelMeter room={room} label={t("level")} /> : null}
      <ul className={styles.checks}>
        <Check name="check_camera" state={hasCamera ? "passed" : "blocked"} />
        <Check name="check_microphone" state={hasMicrophone ? "passed" : "blocked"} />
        <Check name="check_network" state={network.platform} />
        <Check name="check_media" state={network.media} />
      </ul>
    </>
  );
}

type JoinProps = Props & Readonly<{ hasCamera: boolean; hasMicrophone: boolean }>;

function JoinButton({ visit, hasCamera, hasMicrophone }: JoinProps): ReactNode {
  const { t } = useWords();
  const { api, run, go, isBusy } = visit;
  useEffect(() => {
    // A lost report is repeated before the call.
    api.reportDevices({ camera: hasCamera, microphone: hasMicrophone }).catch(() => undefined);
  }, [api, hasCamera, hasMicrophone]);
  const join = async (): Promise<void> => {
    await api.reportDevices({ camera: hasCamera, microphone: hasMicrophone });
    await api.accept();
    go("room");
  };
  return (
    <Button isMain={hasCamera && hasMicrophone} isBusy={isBusy} onPress={() => void run(join)}>
      {t(joinLabelOf(hasCamera, hasMicrophone))}
    </Button>
  );
}

function joinLabelOf(hasCamera: boolean, hasMicrophone: boolean): TextKey {
  if (hasCamera) {
    return hasMicrophone ? "join" : "join_without_microphone";
  }
  return hasMicrophone ? "join_without_camera" : "join_anyway";
}

function Help({ problem }: Readonly<{ problem: DeviceProblem }>): ReactNode {
  const { t } = useWords();
  const { help } = detectBrowser(navigator);
  if (problem.cause !== "refused") {
    return <p className={styles.hint}>{t(`help_${problem.cause}`)}</p>;
  }
  return (
    <ol className={styles.steps}>
      {([1, 2, 3] as const).map((step) => (
        <li key={step}>{t(`help_${help}_${step}`)}</li>
      ))}
    </ol>
  );
}

function Preview({ local }: Readonly<{ local: LocalMedia }>): ReactNode {
  const { t } = useWords();
  return (
    <div className={styles.preview}>
      <VideoTile isSelf isVideoOn={local.isCameraOn} stream={local.stream} name={t("own_video")} />
    </div>
  );
}

/** What to do about a network that does not work as it should. */
function NetworkHelp({ network }: Readonly<{ network: NetworkCheck }>): ReactNode {
  const { t } = useWords();
  const help = networkHelpOf(network);
  if (help === undefined) {
    return null;
  }
  return (
    <div className={styles.help} data-severity={help.endsWith("blocked") ? "bad" : "warn"}>
      <p role="status">{t(help)}</p>
      <button type="button" onClick={network.again}>
        {t("retry")}
      </button>
    </div>
  );
}

function networkHelpOf({ platform, media }: NetworkCheck): TextKey | undefined {
  if (platform === "blocked") {
    return "network_blocked";
  }
  if (media === "blocked" || media === "limited") {
    return `media_${media}`;
  }
  return platform === "slow" ? "quality_poor" : undefined;
}

const icons = {
  passed: IconCheck,
  relayed: IconCheck,
  direct: IconCheck,
  slow: IconAlertTriangle,
  limited: IconAlertTriangle,
  blocked: IconX,
  running: IconLoader2,
} as const;

type CheckItem = Readonly<{
  name: "check_camera" | "check_microphone" | "check_network" | "check_media";
  state: NetworkCheck["platform" | "media"];
}>;

function Check({ name, state }: CheckItem): ReactNode {
  const { t } = useWords();
  const Icon = icons[state];
  return (
    <li data-state={state}>
      <Icon size={22} aria-hidden />
      <span>{t(name)}</span>
      <span className={styles.state}>{t(`check_${state}`)}</span>
    </li>
  );
}
