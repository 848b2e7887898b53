declare module "s3rver" {
  import type { AddressInfo } from "node:net";

  /** Types for the used part of the package, which has none. */
  export default class S3rver {
    constructor(options: Record<string, unknown>);
    run(): Promise<AddressInfo>;
    close(): Promise<void>;
  }
}
