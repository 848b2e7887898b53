import { createRequire } from "node:module";
import { dirname } from "node:path";

const require = createRequire(import.meta.url);

/** Where the package keeps the files of the viewer. */
export const viewerFolder = dirname(require.resolve("swagger-ui-dist/package.json"));

const { version } = require("swagger-ui-dist/package.json") as { version: string };

/** The page of the viewer. Everything in it is a file of this origin, so that no script is inline. */
export const viewerPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sightline API</title>
<link rel="stylesheet" href="/api/docs/swagger-ui.css?v=${version}">
<link rel="stylesheet" href="/api/docs/page.css">
<link rel="icon" type="image/png" sizes="32x32" href="/api/docs/favicon-32x32.png?v=${version}">
</head>
<body>
<main id="viewer"><p class="wait">Loading the description of the API …</p></main>
<noscript><p class="wait">This page needs JavaScript. The description itself is at
<a href="/api/openapi.json">/api/openapi.json</a>.</p></noscript>
<script src="/api/docs/swagger-ui-bundle.js?v=${version}"></script>
<script src="/api/docs/init.js"></script>
</body>
</html>
`;

export const initScript = `"use strict";
window.SwaggerUIBundle({
  url: "/api/openapi.json",
  dom_id: "#viewer",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  defaultModelsExpandDepth: 0,
  tagsSorter: "alpha",
  validatorUrl: null,
  persistAuthorization: false,
});
`;

export const viewerStyles = `body { margin: 0; }
.wait { padding: 2rem; font-family: system-ui, sans-serif; }
`;
