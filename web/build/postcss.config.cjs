"use strict";

module.exports = { plugins: { "postcss-preset-mantine": {} } };
