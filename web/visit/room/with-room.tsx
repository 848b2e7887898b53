import { useEffect, useState, type ReactNode } from "react";
import type { Room } from "../../rooms/room.ts";
import { Loading } from "../screens/loading.tsx";
import type { VisitControl } from "../use-visit.ts";

type Props = Readonly<{
  visit: Pick<VisitControl, "openRoom">;
  children: (room: Room) => ReactNode;
}>;

/** Renders with the room of the visit, once its code is loaded. */
export function WithRoom({ visit, children }: Props): ReactNode {
  const [room, setRoom] = useState<Room>();
  const [fault, setFault] = useState<Error>();
  const { openRoom } = visit;
  useEffect(() => {
    openRoom().then(setRoom, setFault);
  }, [openRoom]);
  if (fault !== undefined) {
    throw fault; // the boundary offers to load the page again
  }
  return room === undefined ? <Loading /> : children(room);
}
