/** An expert points on the picture of the customer, and sees where the others point. */
import { useState, type ReactNode } from "react";
import type { Room, RoomView } from "../../rooms/room.ts";
import { DrawingCanvas } from "../../rooms/ui/drawing-canvas.tsx";
import type { Size } from "../../rooms/ui/letterbox.ts";
import { t } from "../texts.ts";

export type Pointing = Readonly<{
  /** Whose picture it is about. */
  customerId: string | undefined;
  isOn: boolean;
  toggle: () => void;
  /** Over the picture of the customer, of this size. */
  overlay: (picture: Size | undefined) => ReactNode;
}>;

/** Undefined: this page is not that of an expert. */
export function usePointing(room: Room, view: RoomView): Pointing | undefined {
  const [isOn, setOn] = useState(false);
  if (view.self?.role !== "expert") {
    return undefined;
  }
  const customer = view.peers.find(({ role, isInCall }) => isInCall && role === "requestor");
  const isSeen = customer?.state.isCameraOn === true && !customer.state.isPaused;
  return {
    customerId: customer?.id,
    isOn,
    toggle: () => {
      room.movePointer(null);
      setOn(!isOn);
    },
    overlay: (picture) =>
      isSeen ? (
        <DrawingCanvas
          picture={picture}
          shapes={noShapes}
          pointer={view.pointer?.point}
          labels={{ drawing: t("point_hint"), text: "" }}
          {...(isOn ? { onPoint: room.movePointer } : {})}
        />
      ) : null,
  };
}

const noShapes = [] as const;
