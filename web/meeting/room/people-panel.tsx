import { IconHandStop, IconMicrophone, IconMicrophoneOff, IconUserX } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import type { Room, RoomView } from "../../rooms/room.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../../rooms/ui/dialog.tsx";
import { IconButton } from "../../rooms/ui/icon-button.tsx";
import { plural, t } from "../texts.ts";
import { initialsOf, isHost, roleIn, type Person } from "./person.ts";
import styles from "./people-panel.module.css";
import { WaitingList } from "./waiting-list.tsx";

export type PeoplePanelProps = Readonly<{
  room: Room;
  view: RoomView;
  people: readonly Person[];
}>;

/** Who is in the meeting, and for hosts who waits. Hosts can mute and remove. */
export function PeoplePanel({ room, view, people }: PeoplePanelProps): ReactNode {
  const [removed, setRemoved] = useState<Person>();
  const canModerate = isHost(view.self?.role);
  return (
    <div className={styles.scroll}>
      {view.waiting.length === 0 ? null : (
        <section className={styles.section} aria-label={t("waiting_list")}>
          <h3 className={styles.heading}>{plural("waiting", view.waiting.length)}</h3>
          <WaitingList room={room} people={view.waiting} />
        </section>
      )}
      <section className={styles.section} aria-label={t("in_meeting")}>
        <h3 className={styles.heading}>{plural("people", people.length)}</h3>
        <ul>
          {people.map((person) => (
            <li key={person.id} className={styles.person}>
              <PersonLine person={person} />
              {canModerate && !person.isSelf && !isHost(person.role) ? (
                <HostActions room={room} person={person} onRemove={() => setRemoved(person)} />
              ) : (
                <MicState isOn={person.state.isMicOn} />
              )}
            </li>
          ))}
        </ul>
      </section>
      {removed === undefined ? null : (
        <RemoveDialog
          name={removed.name}
          onClose={() => setRemoved(undefined)}
          onRemove={() => {
            room.removeParticipant(removed.participant);
            setRemoved(undefined);
          }}
        />
      )}
    </div>
  );
}

function PersonLine({ person }: Readonly<{ person: Person }>): ReactNode {
  const { name, isSelf, role, state } = person;
  return (
    <>
      <span className={styles.initials} aria-hidden>
        {initialsOf(name)}
      </span>
      <span className={styles.name}>
        <span>{isSelf ? t("you_named", { name }) : name}</span>
        {isHost(role) ? (
          <small>{t(role === "organizer" ? "badge_organizer" : "badge_moderator")}</small>
        ) : (
          <small>{roleIn(person)}</small>
        )}
      </span>
      {state.isHandRaised ? (
        <IconHandStop size={20} className={styles.hand} role="img" aria-label={t("hand_raised")} />
      ) : null}
    </>
  );
}

function MicState({ isOn }: Readonly<{ isOn: boolean }>): ReactNode {
  return isOn ? (
    <IconMicrophone size={20} className={styles.symbol} aria-hidden />
  ) : (
    <IconMicrophoneOff size={20} className={styles.off} role="img" aria-label={t("is_muted")} />
  );
}

type HostActionsProps = Readonly<{ room: Room; person: Person; onRemove: () => void }>;

function HostActions({ room, person, onRemove }: HostActionsProps): ReactNode {
  const mute = t("mute_named", { name: person.name });
  const remove = t("remove_named", { name: person.name });
  return (
    <span className={styles.actions}>
      {person.state.isMicOn ? (
        <IconButton label={mute} onPress={() => room.muteParticipant(person.id)}>
          <IconMicrophone size={20} aria-hidden />
        </IconButton>
      ) : (
        <MicState isOn={false} />
      )}
      <IconButton label={remove} onPress={onRemove}>
        <IconUserX size={20} aria-hidden />
      </IconButton>
    </span>
  );
}

type RemoveDialogProps = Readonly<{ name: string; onClose: () => void; onRemove: () => void }>;

function RemoveDialog({ name, onClose, onRemove }: RemoveDialogProps): ReactNode {
  return (
    <Dialog
      title={t("remove_title", { name })}
      closeLabel={t("close")}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button tone="danger" onClick={onRemove}>
            {t("remove")}
          </Button>
        </>
      }
    >
      <p>{t("remove_text", { name })}</p>
    </Dialog>
  );
}
