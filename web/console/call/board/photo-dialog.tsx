/** A large photo with tools to draw on it and to recognize its text, or that of a rectangle. */
import { Alert, Button, CopyButton, Group, Loader, Modal, Stack, Text } from "@mantine/core";
import { IconCheck, IconCopy, IconDownload, IconPencil, IconScan } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState, type PointerEvent } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { showFault } from "../../../components/show-fault.tsx";
import { useRestoreFocus } from "../../../components/use-restore-focus.ts";
import { useMay } from "../../session.ts";
import type { Media } from "../../tickets/types.ts";
import classes from "./board.module.css";
import { cropBetween, toPixels, type Crop } from "./crop.ts";
import { useTextReader, type TextReader } from "./use-text-reader.ts";

type PhotoProps = Readonly<{
  media: Media;
  ticketId: number;
  /** During the call. */
  canDraw: boolean;
  onDraw: () => void;
  onClose: () => void;
}>;

export function PhotoDialog({ media, ticketId, canDraw, onDraw, onClose }: PhotoProps) {
  useRestoreFocus();
  const { t } = useTranslation("call");
  const { t: common } = useTranslation();
  const image = useRef<HTMLImageElement>(null);
  const [crop, setCrop] = useState<Crop>();
  const reader = useTextReader(media.id, ticketId);
  const reading = useMutation({
    mutationFn: () =>
      reader.read(
        crop === undefined || image.current === null ? undefined : toPixels(crop, image.current),
      ),
    onError: showFault,
  });
  const mayRead = useMay("media.write");
  return (
    <Modal
      opened
      onClose={onClose}
      title={media.title}
      size="xl"
      closeButtonProps={{ "aria-label": common("action.close") }}
    >
      <Stack gap="sm">
        <div className={classes["crop_frame"]}>
          <CropArea crop={crop} onCrop={setCrop}>
            <img
              ref={image}
              src={media.url}
              alt={media.description ?? media.title}
              draggable={false}
            />
          </CropArea>
        </div>
        {mayRead ? (
          <Text size="xs" c="dimmed">
            {t("ocr.note")}
          </Text>
        ) : null}
        <Group gap="xs">
          {canDraw ? (
            <Button leftSection={<IconPencil size={16} aria-hidden />} onClick={onDraw}>
              {t("photo.draw")}
            </Button>
          ) : null}
          {mayRead ? (
            <Button
              variant="default"
              loading={reading.isPending || reader.state === "reading"}
              leftSection={<IconScan size={16} aria-hidden />}
              onClick={() => reading.mutate()}
            >
              {t("photo.read")}
            </Button>
          ) : null}
          {crop === undefined ? null : (
            <Button variant="subtle" onClick={() => setCrop(undefined)}>
              {t("ocr.whole")}
            </Button>
          )}
          <DownloadButton media={media} />
        </Group>
        <TextFound reader={reader} />
      </Stack>
    </Modal>
  );
}

function DownloadButton({ media }: { media: Media }) {
  const { t } = useTranslation("call");
  return (
    <Button
      component="a"
      href={media.url}
      download={media.filename}
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
    >
      {t("photo.download")}
    </Button>
  );
}

function TextFound({ reader: { state, text } }: { reader: TextReader }) {
  const { t } = useTranslation("call");
  return (
    <div aria-live="polite">
      {state === "reading" ? (
        <Group gap="xs">
          <Loader size="xs" aria-hidden />
          <Text size="sm">{t("ocr.reading")}</Text>
        </Group>
      ) : null}
      {state === "none" ? <Alert color="gray">{t("ocr.none")}</Alert> : null}
      {state === "found" ? (
        <Stack gap="xs" align="flex-start">
          <pre className={`mono ${classes["text"]}`} tabIndex={0} aria-label={t("ocr.found")}>
            {text}
          </pre>
          <CopyButton value={text} timeout={1_500}>
            {({ copied, copy }) => (
              <Button
                size="xs"
                variant="default"
                onClick={copy}
                leftSection={
                  copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />
                }
              >
                {t(copied ? "copied" : "ocr.copy")}
              </Button>
            )}
          </CopyButton>
        </Stack>
      ) : null}
    </div>
  );
}

type CropAreaProps = Readonly<{
  crop: Crop | undefined;
  onCrop: (crop: Crop | undefined) => void;
  children: React.ReactNode;
}>;

function CropArea({ crop, onCrop, children }: CropAreaProps) {
  const start = useRef<{ x: number; y: number }>(undefined);
  const positionOf = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLDivElement>) => {
    const { left, top } = currentTarget.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  return (
    <div
      className={classes["crop"]}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = positionOf(event);
        onCrop(undefined);
      }}
      onPointerMove={(event) => {
        const { offsetWidth: width, offsetHeight: height } = event.currentTarget;
        if (start.current !== undefined) {
          const shown = { width, height, naturalWidth: width, naturalHeight: height };
          onCrop(cropBetween(start.current, positionOf(event), shown));
        }
      }}
      onPointerUp={() => {
        start.current = undefined;
      }}
    >
      {children}
      {crop === undefined ? null : <span className={classes["rectangle"]} style={{ ...crop }} />}
    </div>
  );
}
