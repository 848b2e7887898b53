/** Composition of the pages that people open. */
import type { Router } from "express";
import { openBuiltPages } from "../pages/built.ts";
import { createPagesRouter } from "../pages/routes.ts";

export const composeBuiltPages = (): Router => createPagesRouter({ built: openBuiltPages() });
