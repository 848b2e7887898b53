/**
 * What is used of the AWS SDK, as a module that can be loaded lazily. The packages are CommonJS:
 * bundled, `import()` of them has no named exports.
 */
export {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
export { Upload } from "@aws-sdk/lib-storage";
