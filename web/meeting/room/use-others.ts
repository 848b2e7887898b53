import { useMemo } from "react";
import type { RoomView } from "../../rooms/room.ts";
import { othersIn, type Person } from "./person.ts";

/** Those in the call besides oneself; the same list as long as the view has the same one. */
export function useOthers({ peers }: RoomView): readonly Person[] {
  return useMemo(() => othersIn({ peers }), [peers]);
}
