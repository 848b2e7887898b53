import { later } from "../../../components/later.tsx";

/** The delivery that is open beside the list. */
export const [Beside, prepareBeside] = later(
  async () => (await import("./delivery-panel.tsx")).DeliveryPanel,
  { isOpen: ({ openId }) => openId !== undefined },
);
