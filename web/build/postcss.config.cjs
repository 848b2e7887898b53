"use strict";

// Its `light-dark()` would look for the scheme above `:root`, where nothing is: browsers have their own.
const options = { features: { lightDarkFunction: false } };

module.exports = { plugins: { "postcss-preset-mantine": options } };
