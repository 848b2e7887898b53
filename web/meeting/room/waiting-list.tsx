import type { ReactNode } from "react";
import type { WaitingPerson } from "../../../src/contracts/room-messages.ts";
import type { Room } from "../../rooms/room.ts";
import { Button } from "../parts/button.tsx";
import { t } from "../texts.ts";
import styles from "./waiting-list.module.css";

export type WaitingListProps = Readonly<{ room: Room; people: readonly WaitingPerson[] }>;

/** Who asks to come in, in the order in which they came. */
export function WaitingList({ room, people }: WaitingListProps): ReactNode {
  return (
    <>
      <ul className={styles.list}>
        {people.map(({ participant, name: ownName }) => {
          const name = ownName || t("guest");
          return (
            <li key={participant} className={styles.person}>
              <span className={styles.name}>{name}</span>
              <span className={styles.choice}>
                <Button
                  isSmall
                  aria-label={t("deny_named", { name })}
                  onClick={() => room.deny([participant])}
                >
                  {t("deny")}
                </Button>
                <Button
                  isSmall
                  tone="main"
                  aria-label={t("admit_named", { name })}
                  onClick={() => room.admit([participant])}
                >
                  {t("admit")}
                </Button>
              </span>
            </li>
          );
        })}
      </ul>
      {people.length > 1 ? (
        <div className={styles.all}>
          <Button isSmall tone="quiet" onClick={() => room.admit("all")}>
            {t("admit_all")}
          </Button>
        </div>
      ) : null}
    </>
  );
}
