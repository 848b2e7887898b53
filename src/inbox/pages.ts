import { fileURLToPath } from "node:url";
import express, { type RequestHandler, type Response } from "express";

/** Plain files, served as they are: no build, nothing from elsewhere. */
const webDir = fileURLToPath(new URL("../../web", import.meta.url));

/** Logins for the examples on the pages: who signs in, and who handles the first ticket. */
export type ExampleLogins = { login: string; agent: string };

/** Those that a platform without configuration has. */
export const demoLogins: ExampleLogins = {
  login: "admin@demo.example",
  agent: "agent@demo.example",
};

/**
 * A page loads from its own origin only and runs no inline script. Its address may hold the secret
 * key of an inbox, so no referrer tells it to others.
 */
const pageHeaders = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
    "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "X-Robots-Tag": "noindex",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
};

export const setPageHeaders: RequestHandler = (_request, response, next) => {
  response.set(pageHeaders);
  next();
};

/** Scripts, styles and images of one folder. Asked for again each time, answered 304 mostly. */
export const serveAssets = (folder: string): RequestHandler =>
  express.static(`${webDir}/${folder}`, {
    index: false,
    redirect: false,
    extensions: false,
    setHeaders: (response) => {
      response.setHeader("Cache-Control", "no-cache");
    },
  });

export const sendPage = (response: Response, status: number, file: string): void => {
  response.status(status).set("Cache-Control", "no-store").sendFile(file, {
    root: webDir,
    cacheControl: false,
  });
};
