import { lazyDialog } from "../../../components/lazy-dialog.tsx";

/** The delivery that is open beside the list. */
export const [LazyDeliveryPanel, prepareDeliveryPanel] = lazyDialog(
  async () => (await import("./delivery-panel.tsx")).DeliveryPanel,
  { isOpen: ({ openId }) => openId !== undefined },
);
