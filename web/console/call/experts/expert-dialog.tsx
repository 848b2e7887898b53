/** Invites a third person into the call, and shows who was invited. */
import { Button, Group, Modal, SegmentedControl, Stack, Text } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type SyntheticEvent } from "react";
import { api, call } from "../../../base/api.ts";
import { useTranslation } from "../../../base/i18n.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { useRestoreFocus } from "../../../components/use-restore-focus.ts";
import type { Room, RoomView } from "../../../rooms/room.ts";
import { ColleagueSelect } from "../../tickets/colleague-select.tsx";
import { ContactFields, emptyContact, isReachable } from "./contact-fields.tsx";
import { InvitedExperts, expertsKey } from "./invited-experts.tsx";
import { InvitationLink, type Invited } from "./invitation-link.tsx";

type Kind = "colleague" | "external";

type DialogProps = Readonly<{ ticketId: number; room: Room; view: RoomView; onClose: () => void }>;

export function ExpertDialog({ ticketId, room, view, onClose }: DialogProps) {
  const { t } = useTranslation("call");
  const { t: common } = useTranslation();
  useRestoreFocus();
  const isThere = useMounted();
  const [invited, setInvited] = useState<Invited>();
  return (
    <Modal
      opened={isThere}
      onClose={onClose}
      title={t("expert.title")}
      closeButtonProps={{ "aria-label": common("action.close") }}
    >
      <Stack>
        {invited === undefined ? (
          <InviteForm ticketId={ticketId} onInvited={setInvited} />
        ) : (
          <InvitationLink invited={invited} onMore={() => setInvited(undefined)} />
        )}
        <InvitedExperts {...{ ticketId, room, view }} />
      </Stack>
    </Modal>
  );
}

type FormProps = Readonly<{ ticketId: number; onInvited: (invited: Invited) => void }>;

function InviteForm({ ticketId, onInvited }: FormProps) {
  const { t } = useTranslation("call");
  const [kind, setKind] = useState<Kind>("colleague");
  const [userId, setUserId] = useState("");
  const [contact, setContact] = useState(emptyContact);
  const { fault, isBusy, invite } = useInvite(ticketId, onInvited);
  const isReady = kind === "colleague" ? userId !== "" : isReachable(contact);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    const filled = Object.entries(contact).filter(([, text]) => text.trim() !== "");
    void invite(kind === "colleague" ? { user_id: Number(userId) } : Object.fromEntries(filled));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t("expert.text")}
        </Text>
        <SegmentedControl
          fullWidth
          aria-label={t("expert.who")}
          value={kind}
          onChange={setKind}
          data={[
            { value: "colleague", label: t("expert.colleague") },
            { value: "external", label: t("expert.external") },
          ]}
        />
        {kind === "colleague" ? (
          <ColleagueSelect
            who="experts"
            label={t("expert.colleague")}
            {...{ ticketId, value: userId, onChange: setUserId }}
          />
        ) : (
          <ContactFields contact={contact} onChange={setContact} />
        )}
        {fault === undefined ? null : <ErrorBox error={fault} />}
        <Group justify="flex-end">
          <Button type="submit" loading={isBusy} disabled={!isReady}>
            {t("expert.invite")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type InviteBody = Readonly<{ user_id?: number; email?: string; phone?: string; name?: string }>;

function useInvite(ticketId: number, onInvited: FormProps["onInvited"]) {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const invite = async (body: InviteBody): Promise<void> => {
    setBusy(true);
    setFault(undefined);
    try {
      const params = { path: { ticketId } };
      onInvited(await call(api.POST("/api/tickets/{ticketId}/experts", { params, body })));
      void queries.invalidateQueries({ queryKey: expertsKey(ticketId) });
    } catch (thrown) {
      setFault(thrown);
    } finally {
      setBusy(false);
    }
  };
  return { fault, isBusy, invite };
}
