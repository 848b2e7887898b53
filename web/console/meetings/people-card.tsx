import { ActionIcon, Skeleton, Table, Text, Title, Tooltip } from "@mantine/core";
import { IconUserMinus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { formatDuration } from "../../base/format.ts";
import { ErrorBox } from "../../components/error-box.tsx";
import { lazyDialog } from "../../components/lazy-dialog.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { Section } from "../../components/section.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import { useMay } from "../session.ts";
import { participantsQuery } from "./queries.ts";
import { contactOf, isOver, type Meeting, type Participant } from "./types.ts";
import classes from "./meetings.module.css";

const [RemoveGuest, prepareRemoveGuest] = lazyDialog(
  async () => (await import("./remove-guest.tsx")).RemoveGuest,
);

/** Invited guests and actual participants. All share one link, so the two lists can differ. */
export function PeopleCard({ meeting }: { meeting: Meeting }) {
  const { t } = useTranslation("meetings");
  const { data, error, refetch } = useQuery(participantsQuery(meeting));
  const guests = data?.filter(isInvited) ?? [];
  const sent = guests.filter(({ invited }) => invited !== null).length;
  return (
    <Section
      title={t("people.title")}
      note={data === undefined ? undefined : t("people.note", { count: guests.length, sent })}
    >
      {error === null ? null : <ErrorBox error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Skeleton height={160} /> : null}
      {data === undefined ? null : (
        <>
          <Guests meeting={meeting} guests={guests} />
          <Participations participations={data.filter((one) => !isInvited(one))} />
        </>
      )}
    </Section>
  );
}

function isInvited({ kind }: Participant): boolean {
  return kind === "invited";
}

type GuestsProps = Readonly<{ meeting: Meeting; guests: readonly Participant[] }>;

function Guests({ meeting, guests }: GuestsProps) {
  const { t } = useTranslation("meetings");
  const [leaving, setLeaving] = useState<Participant>();
  // A meeting has at least one guest.
  const mayRemove = useMay("conferences.write") && !isOver(meeting) && guests.length > 1;
  return (
    <>
      <div className={classes["scroll"]}>
        <Table verticalSpacing={5} aria-label={t("people.guests")}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("people.guests")}</Table.Th>
              <Table.Th>{t("people.invited")}</Table.Th>
              <Table.Td aria-hidden />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {guests.map((guest) => (
              <GuestRow
                key={contactOf(guest)}
                guest={guest}
                onRemove={mayRemove ? () => setLeaving(guest) : undefined}
              />
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {leaving === undefined ? null : (
        <RemoveGuest {...{ meeting, guests, leaving }} onClose={() => setLeaving(undefined)} />
      )}
    </>
  );
}

function GuestRow({
  guest,
  onRemove,
}: {
  guest: Participant;
  onRemove?: (() => void) | undefined;
}) {
  const { t } = useTranslation("meetings");
  const contact = contactOf(guest);
  return (
    <Table.Tr>
      <Table.Td className={classes["name"] ?? ""} title={contact}>
        {contact}
      </Table.Td>
      <Table.Td>
        {guest.invited === null ? (
          <Text size="sm" c="dimmed" span>
            {t("people.not_invited")}
          </Text>
        ) : (
          <RelativeTime at={guest.invited} />
        )}
      </Table.Td>
      <Table.Td ta="right" w={40}>
        {onRemove === undefined ? null : (
          <Tooltip label={t("people.remove")}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={t("people.remove_who", { name: contact })}
              onPointerEnter={prepareRemoveGuest}
              onFocus={prepareRemoveGuest}
              onClick={onRemove}
            >
              <IconUserMinus size={15} />
            </ActionIcon>
          </Tooltip>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function Participations({ participations }: { participations: readonly Participant[] }) {
  const { t } = useTranslation("meetings");
  return (
    <>
      <Title order={3} mt="md" mb={6}>
        {t("people.were_there")}
      </Title>
      {participations.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t("people.nobody")}
        </Text>
      ) : (
        <div className={classes["scroll"]}>
          <Table verticalSpacing={5} aria-label={t("people.were_there")}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("people.name")}</Table.Th>
                <Table.Th>{t("people.role")}</Table.Th>
                <Table.Th>{t("people.joined")}</Table.Th>
                <Table.Th ta="right">{t("people.stay")}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {participations.map((one, at) => (
                <Table.Tr key={`${one.joined} ${one.name} ${at}`}>
                  <Table.Td>{one.name ?? contactOf(one)}</Table.Td>
                  <Table.Td>
                    {t(`role.${one.role}` as "role.participant", {
                      defaultValue: one.role ?? "",
                    })}
                  </Table.Td>
                  <Table.Td>
                    {one.joined === null ? "–" : <RelativeTime at={one.joined} />}
                  </Table.Td>
                  <Table.Td ta="right">
                    {one.is_present ? (
                      <StateBadge meaning="good">{t("people.present")}</StateBadge>
                    ) : (
                      durationOf(one)
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </>
  );
}

function durationOf({ joined, left }: Participant): string {
  return joined === null || left === null
    ? "–"
    : formatDuration(Date.parse(left) - Date.parse(joined));
}
