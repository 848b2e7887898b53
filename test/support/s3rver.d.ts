declare module "s3rver" {
  import type { AddressInfo } from "node:net";

  /** The part of the package that the tests use. It has no types of its own. */
  export default class S3rver {
    constructor(options: Record<string, unknown>);
    run(): Promise<AddressInfo>;
    close(): Promise<void>;
  }
}
