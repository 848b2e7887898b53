import { useRef, type ReactNode } from "react";
import { useBoxSize } from "../../rooms/ui/use-box-size.ts";
import { VideoTile } from "../../rooms/ui/video-tile.tsx";
import { t } from "../texts.ts";
import { arrange } from "./arrangement.ts";
import { gridFor } from "./grid-layout.ts";
import { InviteOthers } from "./invite-others.tsx";
import { PersonTile } from "./person-tile.tsx";
import type { Person } from "./person.ts";
import type { Pointing } from "./use-pointing.tsx";
import styles from "./stage.module.css";

export type StageProps = Readonly<{
  self: Person;
  others: readonly Person[];
  speaking: ReadonlySet<string>;
  pinnedId: string | undefined;
  onPin: (id: string | undefined) => void;
  onBlocked: (video: HTMLVideoElement) => void;
  /** On the page of an expert. */
  pointing: Pointing | undefined;
}>;

/** The pictures of all people, by how many there are and who shares a screen. */
export function Stage(props: StageProps): ReactNode {
  const { self, others, pinnedId } = props;
  const arrangement = arrange({
    selfId: self.id,
    others: others.map(({ id, screen }) => ({ id, isSharing: screen !== undefined })),
    pinnedId,
  });
  const people = [...others, self];
  const tile = (id: string, isSmall = false): ReactNode => (
    <Tile {...props} person={people.find((one) => one.id === id)} isSmall={isSmall} />
  );
  switch (arrangement.kind) {
    case "alone":
      return <Alone canInvite={props.pointing === undefined}>{tile(self.id)}</Alone>;
    case "pair":
      return <Pair large={tile(arrangement.large)} small={tile(self.id, true)} />;
    case "grid":
      return <Grid items={arrangement.ids.map((id) => ({ id, node: tile(id) }))} />;
    case "large": {
      const { id, what } = arrangement.large;
      return (
        <Large
          large={
            what === "screen" ? <Screen person={people.find((one) => one.id === id)} /> : tile(id)
          }
          strip={arrangement.strip.map((one) => ({ id: one, node: tile(one, true) }))}
        />
      );
    }
  }
}

type TileProps = StageProps & Readonly<{ person: Person | undefined; isSmall: boolean }>;

function Tile(props: TileProps): ReactNode {
  const { person, isSmall, others, speaking, pinnedId, onPin, onBlocked, pointing } = props;
  if (person === undefined) {
    return null;
  }
  const isPinned = pinnedId === person.id;
  // With one other person there is nothing to choose between.
  const canPin = isPinned || others.length > 1;
  return (
    <PersonTile
      person={person}
      isSpeaking={speaking.has(person.id)}
      isSmall={isSmall}
      isPinned={isPinned}
      onPin={canPin ? () => onPin(isPinned ? undefined : person.id) : undefined}
      onBlocked={onBlocked}
      overlay={!isSmall && person.id === pointing?.customerId ? pointing.overlay : undefined}
    />
  );
}

type AloneProps = Readonly<{
  /** Whether the link is for others, too. */
  canInvite: boolean;
  children: ReactNode;
}>;

function Alone({ canInvite, children }: AloneProps): ReactNode {
  return (
    <div className={styles.pair}>
      <div className={styles.full}>{children}</div>
      <div className={styles.alone}>
        <strong>{t("alone")}</strong>
        <span>{t("alone_text")}</span>
        {canInvite ? <InviteOthers /> : null}
      </div>
    </div>
  );
}

function Pair({ large, small }: Readonly<{ large: ReactNode; small: ReactNode }>): ReactNode {
  return (
    <div className={styles.pair}>
      <div className={styles.full}>{large}</div>
      <div className={styles.corner}>{small}</div>
    </div>
  );
}

const gap = 10;

type Item = Readonly<{ id: string; node: ReactNode }>;

function Grid({ items }: Readonly<{ items: readonly Item[] }>): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const { tile, columns } = gridFor(items.length, useBoxSize(box), gap);
  return (
    <div ref={box} className={styles.grid}>
      <div
        className={styles.tiles}
        style={{ width: columns * tile.width + (columns - 1) * gap, gap }}
      >
        {items.map(({ id, node }) => (
          <div key={id} style={tile}>
            {node}
          </div>
        ))}
      </div>
    </div>
  );
}

type LargeProps = Readonly<{ large: ReactNode; strip: readonly Item[] }>;

function Large({ large, strip }: LargeProps): ReactNode {
  return (
    <div className={styles.large}>
      <div className={styles.full}>{large}</div>
      <div className={styles.strip}>
        {strip.map(({ id, node }) => (
          <div key={id} className={styles.stripTile}>
            {node}
          </div>
        ))}
      </div>
    </div>
  );
}

function Screen({ person }: Readonly<{ person: Person | undefined }>): ReactNode {
  const name = t("screen_of", { name: person?.name ?? "" });
  return <VideoTile stream={person?.screen} isVideoOn fit="contain" name={name} label={name} />;
}
