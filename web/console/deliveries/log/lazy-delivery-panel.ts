import { lazyDialog } from "../../../components/lazy-dialog.tsx";

/** The delivery panel as a chunk of its own. */
export const [LazyDeliveryPanel, prepareDeliveryPanel] = lazyDialog(
  async () => (await import("./delivery-panel.tsx")).DeliveryPanel,
  { isOpen: ({ openId }) => openId !== undefined },
);
