import { Badge, Button, Divider, Group, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, call } from "../../../base/api.ts";
import { useTranslation } from "../../../base/i18n.ts";
import type { Room, RoomView } from "../../../rooms/room.ts";

export function expertsKey(ticketId: number) {
  return ["tickets", ticketId, "experts"] as const;
}

type InvitedProps = Readonly<{ ticketId: number; room: Room; view: RoomView }>;

/** The experts with a valid link, in the call or not, with a button to remove each. */
export function InvitedExperts({ ticketId, room, view }: InvitedProps) {
  const { t } = useTranslation("call");
  const queries = useQueryClient();
  const queryKey = expertsKey(ticketId);
  const { data = [] } = useQuery({
    queryKey,
    queryFn: async () => {
      const params = { path: { ticketId } };
      return (await call(api.GET("/api/tickets/{ticketId}/experts", { params }))).data;
    },
    refetchInterval: 5_000,
  });
  if (data.length === 0) {
    return null;
  }
  const isInCall = (participant: string): boolean =>
    view.peers.some((peer) => peer.participant === participant && peer.isInCall);
  const remove = (participant: string): void => {
    room.removeParticipant(participant);
    queries.setQueryData(
      queryKey,
      data.filter((one) => one.participant !== participant),
    );
  };
  return (
    <Stack gap="xs" component="section" aria-label={t("expert.list")}>
      <Divider />
      <Text size="sm" fw={600}>
        {t("expert.list")}
      </Text>
      {data.map(({ participant, name, contact }) => {
        const shown = name ?? contact ?? t("expert.someone");
        return (
          <Group key={participant} justify="space-between" wrap="nowrap">
            <Text size="sm" truncate>
              {shown}
            </Text>
            <Group gap="xs" wrap="nowrap">
              <Badge color={isInCall(participant) ? "green" : "gray"} variant="light">
                {t(isInCall(participant) ? "expert.in_call" : "expert.pending")}
              </Badge>
              <Button
                size="compact-sm"
                variant="subtle"
                color="red"
                aria-label={t("expert.remove_named", { name: shown })}
                onClick={() => remove(participant)}
              >
                {t("expert.remove")}
              </Button>
            </Group>
          </Group>
        );
      })}
    </Stack>
  );
}
