/** The chapter "Events": webhook requests and timeline entries. */
import { useService } from "./service.ts";
import { customerEventTests } from "./events/customers.ts";
import { deliveryTests } from "./events/delivery.ts";
import { staffEventTests } from "./events/staff.ts";

describe("the reference: events", () => {
  const service = useService();

  deliveryTests(service);
  staffEventTests(service);
  customerEventTests(service);
});
