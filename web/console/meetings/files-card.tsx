import { Anchor, Skeleton, Table, Text } from "@mantine/core";
import { IconFile, IconMicrophone, IconPhoto, IconVideo, type Icon } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../base/i18n.ts";
import { formatBytes } from "../../base/format.ts";
import { ErrorBox } from "../../components/error-box.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { Section } from "../../components/section.tsx";
import type { Meaning } from "../../components/meaning.ts";
import { StateBadge } from "../../components/state-badge.tsx";
import { filesQuery } from "./queries.ts";
import type { Meeting, MeetingFile } from "./types.ts";
import classes from "./meetings.module.css";

/** Recordings, pictures and files of the meeting. */
export function FilesCard({ meeting }: { meeting: Meeting }) {
  const { t } = useTranslation("meetings");
  const { data, error, refetch } = useQuery(filesQuery(meeting.id));
  return (
    <Section title={t("file.title")}>
      {error === null ? null : <ErrorBox error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Skeleton height={60} /> : null}
      {data?.total === 0 ? (
        <Text size="sm" c="dimmed">
          {t("file.none")}
        </Text>
      ) : null}
      {data === undefined || data.total === 0 ? null : (
        <div className={classes["scroll"]}>
          <Table verticalSpacing={5} aria-label={t("file.title")}>
            <Table.Tbody>
              {data.data.map((file) => (
                <FileRow key={file.id} file={file} />
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </Section>
  );
}

const icons: Readonly<Partial<Record<MeetingFile["media_type"], Icon>>> = {
  image: IconPhoto,
  video: IconVideo,
  audio: IconMicrophone,
};

const meanings: Readonly<Record<MeetingFile["status"], Meaning>> = {
  inprogress: "waiting",
  uncompleted: "warn",
  completed: "good",
  error: "bad",
};

function FileRow({ file }: { file: MeetingFile }) {
  const { t } = useTranslation("meetings");
  const Picture = icons[file.media_type] ?? IconFile;
  const isThere = file.status === "completed" || file.status === "uncompleted";
  return (
    <Table.Tr>
      <Table.Td className={classes["name"] ?? ""} title={file.title}>
        <Picture size={15} aria-hidden style={{ verticalAlign: "-2px", marginRight: 6 }} />
        {isThere ? (
          <Anchor href={file.url} target="_blank" rel="noreferrer" size="sm">
            {file.title}
          </Anchor>
        ) : (
          file.title
        )}
        <Text size="xs" c="dimmed">
          {file.owner.name} · <RelativeTime at={file.created} />
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        {file.status === "completed" ? (
          formatBytes(file.filesize)
        ) : (
          <StateBadge meaning={meanings[file.status]}>{t(`file.${file.status}`)}</StateBadge>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
