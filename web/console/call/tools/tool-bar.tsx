import { Kbd, Modal, Popover, Slider, Table, Text, Tooltip, UnstyledButton } from "@mantine/core";
import {
  IconArrowsExchange,
  IconBulb,
  IconCamera,
  IconCameraRotate,
  IconKeyboard,
  IconMapPin,
  IconMicrophone,
  IconMicrophoneOff,
  IconPencil,
  IconPhoneOff,
  IconPlayerRecord,
  IconPlayerStop,
  IconPointer,
  IconScreenShare,
  IconScreenShareOff,
  IconSend,
  IconUserPlus,
  IconVideo,
  IconVideoOff,
  IconZoomIn,
  type Icon,
} from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { Confirm } from "../../../components/confirm.tsx";
import { lazyDialog } from "../../../components/lazy-dialog.tsx";
import { showDone } from "../../../components/show-fault.tsx";
import { ActionDialog } from "../../tickets/detail/use-action-dialog.ts";
import { isOwnRecording } from "../../../rooms/recording/answers.ts";
import { markHandedOver } from "../handed-over.ts";
import { keyOfTool } from "./shortcuts.ts";
import { tools as allTools, type Tool } from "./tool-reasons.ts";
import classes from "./tools.module.css";
import type { CallTools } from "./use-call-tools.ts";

const [ExpertDialog] = lazyDialog(
  async () => (await import("../experts/expert-dialog.tsx")).ExpertDialog,
);

type BarProps = Readonly<{ tools: CallTools }>;

const groups: readonly (readonly Tool[])[] = [
  ["mic", "camera", "share"],
  ["photo", "freeze", "pointer"],
  ["torch", "zoom", "switch-camera"],
  ["locate", "record"],
  ["invite", "expert", "transfer"],
  ["end"],
];

export function ToolBar({ tools }: BarProps) {
  const { t } = useTranslation("call");
  return (
    <div className={classes["bar"]} role="toolbar" aria-label={t("tools.title")}>
      {groups.map((group) => (
        <div key={group[0]} className={classes["group"]} data-group={group[0]}>
          {group.map((tool) =>
            tool === "zoom" ? (
              <ZoomButton key={tool} tools={tools} />
            ) : (
              <ToolButton key={tool} tool={tool} tools={tools} onClick={() => tools.run(tool)} />
            ),
          )}
        </div>
      ))}
      <Tooltip label={t("tools.shortcuts")}>
        <UnstyledButton
          className={`${classes["tool"]} ${classes["keys"]}`}
          aria-label={t("tools.shortcuts")}
          onClick={() => tools.openDialog("shortcuts")}
        >
          <IconKeyboard size={20} stroke={1.6} aria-hidden />
        </UnstyledButton>
      </Tooltip>
      <Dialogs tools={tools} />
    </div>
  );
}

type ToolButtonProps = Readonly<{ tool: Tool; tools: CallTools; onClick: () => void }>;

/** Never `disabled`, so that its tooltip is reachable by mouse, touch and keyboard. */
function ToolButton({ tool, tools, onClick }: ToolButtonProps) {
  const { t } = useTranslation("call");
  const reason = tools.reasonOf(tool);
  const isPressed = pressedOf(tool, tools);
  const [iconOn, iconOff = iconOn] = icons[tool];
  const Picture = isPressed === true ? iconOn : iconOff;
  const key = keyOfTool[tool];
  const isStopping = tool === "record" && isPressed === true;
  const explanation =
    reason === undefined
      ? t(isStopping ? "hint.stop_record" : `hint.${tool}`)
      : t(`reason.${reason}`);
  return (
    <Tooltip
      multiline
      maw={260}
      label={
        <>
          {explanation} {key === undefined ? null : <Kbd size="xs">{key.toUpperCase()}</Kbd>}
        </>
      }
    >
      <UnstyledButton
        className={classes["tool"] ?? ""}
        data-tool={tool}
        aria-disabled={reason !== undefined || undefined}
        aria-pressed={isPressed}
        aria-busy={tools.busy.has(tool) || undefined}
        aria-description={explanation}
        onClick={onClick}
      >
        <Picture size={20} stroke={1.6} aria-hidden />
        <span>{t(`tools.${tool}`)}</span>
      </UnstyledButton>
    </Tooltip>
  );
}

function ZoomButton({ tools }: BarProps) {
  const { t } = useTranslation("call");
  const [isOpen, setOpen] = useState(false);
  const zoom = tools.customer?.state.camera?.zoom ?? null;
  const isUsable = tools.reasonOf("zoom") === undefined && zoom !== null;
  return (
    <Popover
      opened={isOpen && isUsable}
      onChange={setOpen}
      withRoles={false}
      position="top"
      withArrow
      trapFocus
    >
      <Popover.Target>
        <div>
          <ToolButton tool="zoom" tools={tools} onClick={() => setOpen(!isOpen)} />
        </div>
      </Popover.Target>
      <Popover.Dropdown>
        {zoom === null ? null : (
          <Slider
            w={180}
            {...{ min: zoom.min, max: zoom.max, step: zoom.step }}
            defaultValue={zoom.value}
            label={(value) => `${value.toFixed(1)}×`}
            thumbLabel={t("tools.zoom")}
            onChangeEnd={tools.setZoom}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

/** For tools that are on or off; undefined for the others. */
function pressedOf(tool: Tool, { view, customer, isPointing }: CallTools): boolean | undefined {
  const { local } = view;
  const states: Partial<Record<Tool, boolean>> = {
    mic: local.isMicOn,
    camera: local.isCameraOn,
    share: local.screen !== undefined,
    pointer: isPointing,
    torch: customer?.state.camera?.isTorchOn === true,
    record: isOwnRecording(view.recording),
  };
  return states[tool];
}

const icons: Record<Tool, readonly [on: Icon, off?: Icon]> = {
  mic: [IconMicrophone, IconMicrophoneOff],
  camera: [IconVideo, IconVideoOff],
  share: [IconScreenShareOff, IconScreenShare],
  record: [IconPlayerStop, IconPlayerRecord],
  photo: [IconCamera],
  freeze: [IconPencil],
  pointer: [IconPointer],
  torch: [IconBulb],
  zoom: [IconZoomIn],
  "switch-camera": [IconCameraRotate],
  locate: [IconMapPin],
  invite: [IconSend],
  expert: [IconUserPlus],
  transfer: [IconArrowsExchange],
  end: [IconPhoneOff],
};

function Dialogs({ tools }: BarProps) {
  const { t } = useTranslation("call");
  const { t: say } = useTranslation("tickets");
  const { dialog, room, view, ticket, openDialog } = tools;
  const close = (): void => openDialog(undefined);
  if (dialog === "expert") {
    return <ExpertDialog {...{ room, view, ticketId: ticket.id }} onClose={close} />;
  }
  if (dialog === "invite" || dialog === "transfer") {
    return (
      <ActionDialog
        ticket={ticket}
        action={dialog === "invite" ? "invite" : "assign"}
        onClose={close}
        onDone={(action) => {
          showDone(say(`action.${action}.done`, { id: ticket.id }));
          if (action === "assign") {
            markHandedOver();
          }
        }}
      />
    );
  }
  return (
    <>
      <Confirm
        isOpen={dialog === "end"}
        onClose={close}
        title={t("end.title")}
        action={t("tools.end")}
        isDangerous
        onConfirm={tools.end}
      >
        {t("end.text")}
      </Confirm>
      <Shortcuts isOpen={dialog === "shortcuts"} onClose={close} />
    </>
  );
}

function Shortcuts({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation("call");
  const { t: common } = useTranslation();
  const lines: (readonly [string, string])[] = [
    ["Enter", t("shortcut.answer")],
    ...allTools.flatMap((tool) => {
      const key = keyOfTool[tool];
      return key === undefined ? [] : [[key.toUpperCase(), t(`tools.${tool}`)] as const];
    }),
    ["?", t("shortcut.help")],
  ];
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t("shortcut.title")}
      closeButtonProps={{ "aria-label": common("action.close") }}
    >
      <Table>
        <Table.Tbody>
          {lines.map(([key, what]) => (
            <Table.Tr key={key}>
              <Table.Td w={80}>
                <Kbd>{key}</Kbd>
              </Table.Td>
              <Table.Td>
                <Text size="sm">{what}</Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
