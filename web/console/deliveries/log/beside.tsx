import { useState, type ComponentProps } from "react";
import { later } from "../../../components/later.tsx";
import classes from "./log-table.module.css";

const [DeliveryPanel, prepareDelivery] = later(
  async () => (await import("./delivery-panel.tsx")).DeliveryPanel,
);

export { prepareDelivery };

/** The delivery that is open beside the list. Stays once it was needed, so that it can be seen to close. */
export const Beside = (props: ComponentProps<typeof DeliveryPanel>) => {
  const [isNeeded, setNeeded] = useState(false);
  if (props.openId !== undefined && !isNeeded) {
    setNeeded(true);
  }
  return isNeeded ? (
    <div className={classes["beside"]}>
      <DeliveryPanel {...props} />
    </div>
  ) : null;
};
